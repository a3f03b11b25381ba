import type { ClickHouseClient } from '@clickhouse/client-web'
import { literal } from '../engine/literal.ts'
import { selected } from '../storage/selected.ts'
import { listOf } from './clickhouse-conditions.ts'
import { type Batch, batchOf, type EntryLines, keyOf, linesIn, looks } from './entry-lines.ts'
import type { EntryRow } from './made-rows.ts'

/** The maximum number of ids in one statement. */
const mostIds = 5000

/** Allows statements with thousands of ids. */
const settings = { max_query_size: '50000000', max_ast_elements: '1000000' } as const

/**
 * The lines that ClickHouse does not have yet, each once. An identify call keeps only the properties that ClickHouse
 * lacks. Ids are looked up only for lines between the first and the last stored row of their website. A first import
 * has few such lines. The keys in `known` count as stored; those of the lines are added.
 */
export async function absent(client: ClickHouseClient, lines: EntryLines, known: Set<string>): Promise<Batch> {
  for (const key of await stored(client, lines)) known.add(key)
  const missing = lines.keys.map((keys) => missingOf(keys, known))
  if (missing.every((places, line) => places.length === lines.keys[line]!.length)) return lines.whole()
  const left = linesIn(lines.whole()).flatMap((line, place) => partOf(line, lines.keys[place]!.length, missing[place]!))
  return batchOf(lines.table, left)
}

/** The keys of these lines that ClickHouse has already stored. The result may include keys of other lines. */
async function stored(client: ClickHouseClient, lines: EntryLines): Promise<readonly string[]> {
  const look = looks[lines.table]
  const all = [...lines.keys.keys()]
  const begun = await selected<{ website: string; first: string; last: string }>(
    client,
    `SELECT toString(website_id) AS website, toString(min(${look.time})) AS first, toString(max(${look.time})) AS last
     FROM ${look.table} WHERE ${scopeOf(lines, all)} GROUP BY website_id`,
    {},
    settings,
  )
  const spans = new Map(begun.map((span) => [span.website, span]))
  const doubtful = all.filter((place) => {
    const span = spans.get(lines.websiteIds[place]!)
    return span !== undefined && lines.times[place]! >= span.first && lines.times[place]! <= span.last
  })
  const texts = doubtful.length === 0 ? [] : linesIn(lines.whole())
  const keys: string[] = []
  for (let start = 0; start < doubtful.length; start += mostIds) {
    const some = doubtful.slice(start, start + mostIds)
    const ids = new Set(some.map((place) => String((JSON.parse(texts[place]!) as EntryRow)[look.id])))
    const query = `SELECT toString(website_id) AS website, ${look.stored} AS key FROM ${look.table}
      WHERE ${scopeOf(lines, some)} AND ${look.id} IN (${listOf([...ids])})`
    const found = await selected<{ website: string; key: string[] }>(client, query, {}, settings)
    for (const { website, key } of found) keys.push(keyOf(website, key))
  }
  return keys
}

/** A condition for the rows of the websites of these lines, between their first and last time. */
function scopeOf({ table, websiteIds, times }: EntryLines, places: readonly number[]): string {
  const ids = new Set(places.map((place) => websiteIds[place]!))
  let [first, last] = [times[places[0]!]!, times[places[0]!]!]
  for (const place of places) {
    const time = times[place]!
    if (time < first) first = time
    if (time > last) last = time
  }
  return `website_id IN (${listOf([...ids])}) AND ${looks[table].time} BETWEEN ${literal(first)} AND ${literal(last)}`
}

/**
 * The indexes of the keys that are not stored. From then on, these keys count as stored, because a batch may contain a
 * row twice.
 */
function missingOf(keys: readonly string[], known: Set<string>): readonly number[] {
  const missing: number[] = []
  for (const [place, key] of keys.entries()) {
    if (known.has(key)) continue
    known.add(key)
    missing.push(place)
  }
  return missing
}

/** The line with only the properties whose keys are `missing`. `keys` is the number of keys in the line. */
function partOf(line: string, keys: number, missing: readonly number[]): readonly string[] {
  if (missing.length === 0) return []
  if (missing.length === keys) return [line]
  const columns = Object.entries(JSON.parse(line) as EntryRow).map(([name, value]) =>
    name.startsWith('properties.') ? [name, missing.map((place) => (value as unknown[])[place])] : [name, value],
  )
  return [JSON.stringify(Object.fromEntries(columns))]
}
