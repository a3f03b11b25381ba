import type { ClickHouseClient } from '@clickhouse/client-web'
import { type Day, dayLength, rowsOf, spansOf, websitesWithDays } from './chain-days.ts'
import { boundInRows, chains, isOfNamed, lookBack } from './chain-rows.ts'
import { insertsEnded } from './check.ts'
import type { Scope } from './derived.ts'

/** Sealed days of a month whose rows are not what they would be made of now. */
interface ChainDifference {
  readonly table: string
  readonly websiteId: string
  readonly month: number
}

/** Compares the rows of sealed days with what they came from. Writers may go on: a day with new views is not sealed. */
export async function checkChains(
  client: ClickHouseClient,
  names: readonly string[],
  { websiteIds, month }: Scope,
): Promise<ChainDifference[]> {
  const found: ChainDifference[] = []
  for (const { websiteId, sealed } of await websitesWithDays(client, websiteIds)) {
    for (const span of spansInMonths(sealed).filter((days) => month === undefined || monthOf(days) === month)) {
      for (const chain of chains.filter(({ table }) => names.includes(table))) {
        if (await differs(client, chain, websiteId, span)) {
          found.push({ table: chain.table, websiteId, month: monthOf(span) })
        }
      }
    }
  }
  return found
}

/** Spans of days, none of which has days of two months. */
const spansInMonths = (days: readonly Day[]): Day[][] =>
  [...new Set(days.map((one) => monthOf([one])))].flatMap((month) =>
    spansOf(days.filter((one) => monthOf([one]) === month)),
  )

const monthOf = ([first]: readonly Day[]): number =>
  Number(new Date(first!.day * dayLength).toISOString().slice(0, 7).replace('-', ''))

/** Whether the rows differ, and no view came meanwhile that would explain it. */
async function differs(
  client: ClickHouseClient,
  chain: (typeof chains)[number],
  websiteId: string,
  span: readonly Day[],
): Promise<boolean> {
  if (await isEqual(client, chain, websiteId, span)) return false
  await insertsEnded(client)
  const [website] = await websitesWithDays(client, [websiteId])
  const isStill = (one: Day) => website?.sealed.some(({ day, seal }) => day === one.day && seal === one.seal)
  const same = span.filter(isStill)
  return same.length > 0 && !(await isEqual(client, chain, websiteId, same))
}

async function isEqual(
  client: ClickHouseClient,
  { table, columns, rows, sums }: (typeof chains)[number],
  website: string,
  span: readonly Day[],
): Promise<boolean> {
  const days = span.map(({ day }) => day)
  const query_params = {
    ...boundInRows,
    ...{ websites: [website], days, numbers: span.map(({ seal }) => seal), slices: 1, slice: 0 },
    ...{ start: Math.min(...days) * dayLength, end: (Math.max(...days) + 1) * dayLength },
  }
  const keys = columns.filter((name) => !sums.some((sum) => sum === name))
  const added = sums.map((name) => `, sum(${name})`).join('')
  const digest = (from: string) => `
    SELECT count() AS rows, toString(sum(row)) AS hash
    FROM (SELECT sipHash64(tuple(${keys.join(', ')}${added})) AS row ${from}${added && ` GROUP BY ${keys.join(', ')}`})`
  const isOfDays = 'toInt32(toDate32(hour)) IN {days:Array(Int32)}'
  const [stored] = await rowsOf<object>(
    client,
    digest(`FROM ${table} WHERE ${isOfNamed} AND ${isOfDays} AND seal IN {numbers:Array(UInt64)}`),
    query_params,
  )
  const earlier = await lookBack(client, query_params)
  const [made] = await rowsOf<object>(client, digest(`FROM (${rows(earlier)}) WHERE ${isOfDays}`), query_params)
  return JSON.stringify(stored) === JSON.stringify(made)
}
