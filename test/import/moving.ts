import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { weir } from '../support/commands.ts'
import { newId } from '../support/website.ts'

const files: string[] = []

afterAll(() => {
  for (const file of files) for (const end of ['', '.refused', '.batch', '.lock']) rmSync(file + end, { force: true })
})

/** A place for the state of an import. */
export function newState(): string {
  const file = join(tmpdir(), `weir-import-${newId()}`)
  files.push(file)
  return file
}

/** Runs `import umami` with these words, and returns what it printed. Throws if it fails. */
export async function imported(from: string, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await weir(['import', 'umami', '--from', from, ...words])
  if (code !== 0) throw new Error(stderr)
  return stdout
}
