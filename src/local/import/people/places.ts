import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { D1Database } from '@cloudflare/workers-types'
import type { Sql } from '../../../metadata/store.ts'
import { makePrivate } from '../../machine/private-folder.ts'
import { asScript } from '../../storage/metadata.ts'
import { Misuse } from '../../told/misuse.ts'
import { insertsOf, markOf } from './statements.ts'
import { type Thing, takenBy } from './thing.ts'

/** The outcome of importing an object, such as a user or a board. */
export type Outcome = 'imported' | 'imported otherwise' | 'there already' | 'taken'

/** The target of an import. */
export interface Place {
  /** Inserts objects that all belong in the same table. Returns the outcome for each. */
  put(things: readonly Thing[]): Promise<readonly Outcome[]>
}

/** Writes nothing; for a dry run. */
export const nowhere: Place = { put: async (things) => things.map(() => 'imported') }

const idOf = ({ put }: Thing): string => String(put.values.id ?? '')

/** Writes to D1. Each batch is written completely or not at all. */
export const inDatabase = (database: D1Database): Place => {
  const run = (statements: readonly Sql[]) =>
    database.batch<{ readonly id: string }>(
      statements.map(([query, ...values]) => database.prepare(query).bind(...values)),
    )
  const among = async (from: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
    const [found] = await run([[`${from} AND id IN (SELECT value FROM json_each(?1))`, JSON.stringify(ids)]])
    return new Set(found!.results.map(({ id }) => id))
  }
  return {
    async put(things) {
      const { table } = things[0]!.put
      if (!(table in takenBy)) {
        const done = await run(things.flatMap(insertsOf))
        return done.map(({ meta }) => (meta.changes > 0 ? 'imported' : 'there already'))
      }
      const brought = await among(`SELECT id FROM moved_in WHERE thing = '${table}'`, things.map(idOf))
      const left = things.filter((thing) => !brought.has(idOf(thing)))
      if (left.length === 0) return things.map(() => 'there already')
      const done = await run([...left.flatMap(insertsOf), markOf(table, left.map(idOf))])
      const here = await among(`SELECT id FROM ${table} WHERE TRUE`, left.map(idOf))
      const outcomes = outcomesOf(left, (at) => done[at]!.meta.changes > 0)
      return things.map(
        (thing) =>
          outcomes.get(thing) ?? (brought.has(idOf(thing)) || here.has(idOf(thing)) ? 'there already' : 'taken'),
      )
    },
  }
}

/**
 * The outcomes for the objects that were written. `hasPut` returns whether the statement at an index inserted a row.
 */
function outcomesOf(things: readonly Thing[], hasPut: (at: number) => boolean): ReadonlyMap<Thing, Outcome> {
  const outcomes = new Map<Thing, Outcome>()
  let at = 0
  for (const thing of things) {
    if (hasPut(at)) outcomes.set(thing, 'imported')
    else if (thing.otherwise && hasPut(at + 1)) outcomes.set(thing, 'imported otherwise')
    at += insertsOf(thing).length
  }
  return outcomes
}

/** The maximum length of an SQL file, in characters. The last batch may exceed it. */
const longestFile = 1_000_000

/**
 * Writes files of statements into this folder, for `wrangler d1 execute --file`. The folder must be new or empty. `end`
 * adds a last statement, and returns the files.
 */
export function inFiles(folder: string): Place & { end(last: Sql): readonly string[] } {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Misuse(`--sql: ${folder} is not empty. Give a new folder.`)
  }
  makePrivate(folder)
  const files: string[] = []
  let waiting = ''
  const write = () => {
    if (waiting === '') return
    const file = join(folder, `${String(files.length + 1).padStart(4, '0')}.sql`)
    writeFileSync(file, waiting, { mode: 0o600 })
    files.push(file)
    waiting = ''
  }
  return {
    async put(things) {
      const { table } = things[0]!.put
      const marks = table in takenBy ? [markOf(table, things.map(idOf))] : []
      const script = `${asScript([...things.flatMap(insertsOf), ...marks])}\n`
      if (waiting.length + script.length > longestFile) write()
      waiting += script
      return things.map(() => 'imported')
    },
    end(last) {
      waiting += `${asScript([last])}\n`
      write()
      return files
    },
  }
}
