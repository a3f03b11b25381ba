import type { Io } from '../../src/local/commands/io.ts'
import { weir as command } from '../../src/local/commands/weir.ts'

/** A command's exit code and output. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A command's surroundings. By default, there is no terminal, and everything printed can be written. */
export type Around = Pick<Io, 'env' | 'ask' | 'openMetadata'> & Partial<Pick<Io, 'written'>>

/** Runs `npm run weir -- <words>` in this process, which need not be one of Vitest. */
export async function runCommand(words: readonly string[], around: Around): Promise<Ended> {
  const printed = { out: '', err: '' }
  const io: Io = {
    out(line) {
      printed.out += `${line}\n`
    },
    err(line) {
      printed.err += `${line}\n`
    },
    note() {},
    async written() {},
    ...around,
  }
  const code = await command([...words], io)
  return { code, stdout: printed.out, stderr: printed.err }
}
