import type { DurableObjectState } from '@cloudflare/workers-types'
import type { Env } from '../../src/env.ts'
import worker, { EventLog as Whole } from '../../src/worker.ts'

/**
 * The Worker with a log that finds data written by the first version. `FIRST_FORM` contains its waiting and archived
 * commits.
 */
interface FirstForm {
  readonly waiting: readonly { readonly line: string; readonly packed: readonly number[] }[]
  readonly archived: readonly (readonly number[])[]
}

export class EventLog extends Whole {
  constructor(ctx: DurableObjectState, env: Env & { readonly FIRST_FORM: string }) {
    fill(ctx, JSON.parse(env.FIRST_FORM) as FirstForm)
    super(ctx, env)
  }
}

function fill({ storage: { sql } }: DurableObjectState, { waiting, archived }: FirstForm): void {
  const known = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'commits_0'").toArray()
  if (known.length > 0) return
  sql.exec(
    `CREATE TABLE commits_0
     (id INTEGER PRIMARY KEY, flush TEXT NOT NULL, at INTEGER NOT NULL, packed BLOB NOT NULL, events BLOB, calls BLOB)`,
  )
  sql.exec('CREATE TABLE archive (last INTEGER PRIMARY KEY, at INTEGER NOT NULL, packed BLOB NOT NULL)')
  sql.exec('CREATE TABLE stored (one INTEGER PRIMARY KEY, last INTEGER NOT NULL)')
  sql.exec('INSERT INTO stored VALUES (1, ?)', archived.length)
  const blob = (words: readonly number[]) => new Uint8Array(Uint32Array.from(words).buffer)
  for (const [index, words] of archived.entries()) {
    sql.exec('INSERT INTO archive VALUES (?, ?, ?)', index + 1, Date.now(), blob(words))
  }
  for (const [index, { line, packed }] of waiting.entries()) {
    const insert = "INSERT INTO commits_0 (id, flush, at, packed, events) VALUES (?, 'of the first form', ?, ?, ?)"
    sql.exec(insert, archived.length + index + 1, Date.now(), blob(packed), new TextEncoder().encode(line))
  }
}

export default worker
