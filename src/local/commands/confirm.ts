import { Misuse } from '../told/misuse.ts'
import type { Io } from './io.ts'

/** Throws unless the person at the terminal types yes, or `--yes` is set. */
export async function confirm(io: Io, flags: { readonly yes?: true }, question: string): Promise<void> {
  if (flags.yes) return
  if (!io.ask) throw new Misuse('There is no terminal to ask for confirmation. Add --yes.')
  const answer = await io.ask(`${question} This cannot be undone. Type yes: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new Error('Nothing was deleted.')
}
