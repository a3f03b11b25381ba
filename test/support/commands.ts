import { readFileSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect } from 'vitest'
import type { Io } from '../../src/local/commands/io.ts'
import { metadata } from './metadata.ts'
import { type Ended, runCommand } from './run-command.ts'
import { running } from './weir.ts'

interface Around {
  readonly dataDir?: string
  readonly env?: NodeJS.ProcessEnv
  /** The data folder's D1, by default the one that all tests share. */
  readonly database?: typeof metadata
  /** Answers the command's prompts. By default, there is no terminal. */
  readonly ask?: Io['ask']
  /** Why the output cannot be written. */
  readonly unwritable?: Error
  /** A replacement for the function that opens D1. */
  readonly openMetadata?: Io['openMetadata']
}

/** Runs `npm run weir -- <words>` in this process, by default on the data folder that all tests share. */
export async function weir(
  words: readonly string[],
  {
    dataDir = running.dataDir,
    env = {},
    database = metadata,
    ask,
    unwritable,
    openMetadata = async () => ({ metadata: database, close: async () => {} }),
  }: Around = {},
): Promise<Ended> {
  const written = async () => {
    if (unwritable) throw unwritable
  }
  return runCommand([...words, '--data-dir', dataDir], { env, ask, openMetadata, written })
}

/** Expects only the path of a file that nobody but its owner can find and read. Removes it, and returns its text. */
export function expectPrivateFile(stdout: string): string {
  expect(stdout).toMatch(/^\/[^\n]+\.sql\n$/)
  const file = stdout.trimEnd()
  expect([file, dirname(file)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700])
  const text = readFileSync(file, 'utf8')
  rmSync(dirname(file), { recursive: true })
  return text
}
