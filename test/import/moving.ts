import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { weir } from '../support/commands.ts'
import { newId } from '../support/website.ts'
import { clickhouse } from '../support/weir.ts'

const files: string[] = []

afterAll(() => {
  for (const file of files)
    for (const end of ['', '.refused', '.batch', '.lock', '.people']) rmSync(file + end, { force: true })
})

/** A path for an import's state file. */
export function newState(): string {
  const file = join(tmpdir(), `weir-import-${newId()}`)
  files.push(file)
  return file
}

/** Runs `import umami` with these arguments, and returns its output. Throws if it fails. */
export async function imported(from: string, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await weir(['import', 'umami', '--from', from, ...words])
  if (code !== 0) throw new Error(stderr)
  return stdout
}

/** The rows that an import refused, with the reasons. */
export const refusedIn = (state: string): { reason: string; row: Record<string, string | null> }[] =>
  readFileSync(`${state}.refused`, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** The ids of the websites' stored events, sorted as text. Duplicates are included. */
export async function storedIds(...websiteIds: readonly string[]): Promise<string[]> {
  const list = websiteIds.map((id) => `'${id}'`).join(',')
  const rows = await clickhouse<{ id: string }>(
    `SELECT toString(event_id) AS id FROM events WHERE website_id IN (${list})`,
  )
  return rows.map(({ id }) => id).sort()
}

/** Each key of the websites' stored identify calls, with session, time, distinct id and key. */
export async function storedKeys(...websiteIds: readonly string[]): Promise<string[]> {
  const list = websiteIds.map((id) => `'${id}'`).join(',')
  const rows = await clickhouse<{ key: string[] }>(
    `SELECT [toString(session_id), toString(created_at), distinct_id, name] AS key
     FROM session_data ARRAY JOIN properties.key AS name WHERE website_id IN (${list})`,
  )
  return rows.map(({ key }) => JSON.stringify(key)).sort()
}
