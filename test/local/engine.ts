import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { afterAll, beforeAll } from 'vitest'
import { type Engine, type StartOptions, startEngine } from '../../src/local/engine/index.ts'

/**
 * Keeps connections open, as ClickHouse clients do. If each were closed after its response, a truncated response
 * would look complete.
 */
const kept = { dispatcher: new Agent() } as unknown as RequestInit

export interface Summary {
  readonly read_rows: number
  readonly read_bytes: number
  readonly written_rows: number
  readonly written_bytes: number
  readonly result_rows: number
  readonly elapsed_ns: number
}

/** A separate engine for a test file, in an empty directory. It needs no password unless `options` has one. */
export function useTestEngine(options: Partial<StartOptions> = {}) {
  const dataDir = emptyDirectory()
  let engine: Engine
  beforeAll(async () => {
    engine = await startEngine({ dataDir, password: '', ...options })
  }, 30_000)
  afterAll(async () => {
    await engine?.close()
  }, 30_000)

  const send = (fields: Record<string, string>, init: RequestInit & { duplex?: 'half' } = {}) =>
    fetch(`${engine.url}/?${new URLSearchParams(fields)}`, { method: 'POST', ...kept, ...init })
  return {
    dataDir,
    url: () => engine.url,
    send,
    /** Returns the text of a statement's result, or throws its error. */
    async run(sql: string, fields: Record<string, string> = {}): Promise<string> {
      const response = await send(fields, { body: sql })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return text.replace(/\n$/, '')
    },
    /** The status, error code and text of a statement that fails. */
    async failure(sql: string, fields: Record<string, string> = {}, init: RequestInit = {}) {
      const response = await send(fields, { body: sql, ...init })
      const code = Number(response.headers.get('x-clickhouse-exception-code'))
      return { status: response.status, code, text: await response.text() }
    },
  }
}

/** A directory that is removed after the file's tests. */
export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'weir-engine-'))
  directories.push(directory)
  return directory
}

const directories: string[] = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

export function summaryOf(response: Response): Summary {
  const texts = JSON.parse(response.headers.get('x-clickhouse-summary') ?? '{}') as Record<string, string>
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)])) as unknown as Summary
}
