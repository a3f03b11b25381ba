import type { ClickHouseClient } from '@clickhouse/client-web'
import { dayLength } from '../../request/time-zone.ts'
import { type Day, mostOfSpan, spansOf, websitesWithDays } from './chain-days.ts'
import { isOfNamed, slicesOf } from './chain-earlier.ts'
import { boundInRows, chains } from './chain-rows.ts'
import { insertsEnded } from './check.ts'
import type { Scope } from './derived.ts'
import { frugallySelected } from './selected.ts'

/** Sealed days of a month whose rows differ from the rows that `seal` would write now. */
interface ChainDifference {
  readonly table: string
  readonly websiteId: string
  readonly month: number
}

/**
 * Compares the rows of sealed days with their sources. Writers need not stop, because a day with new page views no
 * longer counts as sealed.
 */
export async function checkChains(
  client: ClickHouseClient,
  names: readonly string[],
  { websiteIds, month }: Scope,
  most = mostOfSpan,
): Promise<ChainDifference[]> {
  const found: ChainDifference[] = []
  for (const { websiteId, sealed } of await websitesWithDays(client, websiteIds)) {
    for (const span of spansInMonths(sealed, most).filter((days) => month === undefined || monthOf(days) === month)) {
      for (const chain of chains.filter(({ table }) => names.includes(table))) {
        if (await differs(client, chain, websiteId, span, most)) {
          found.push({ table: chain.table, websiteId, month: monthOf(span) })
        }
      }
    }
  }
  return found
}

/** Spans of days, each within one month. */
const spansInMonths = (days: readonly Day[], most: number): Day[][] =>
  [...new Set(days.map((one) => monthOf([one])))].flatMap((month) =>
    spansOf(
      days.filter((one) => monthOf([one]) === month),
      most,
    ),
  )

const monthOf = ([first]: readonly Day[]): number =>
  Number(new Date(first!.day * dayLength).toISOString().slice(0, 7).replace('-', ''))

/** Whether the rows differ for any reason other than a new page view. */
async function differs(
  client: ClickHouseClient,
  chain: (typeof chains)[number],
  websiteId: string,
  span: readonly Day[],
  most: number,
): Promise<boolean> {
  if (await isEqual(client, chain, websiteId, span, most)) return false
  await insertsEnded(client)
  const [website] = await websitesWithDays(client, [websiteId])
  const isStill = (one: Day) => website?.sealed.some(({ day, seal }) => day === one.day && seal === one.seal)
  const same = span.filter(isStill)
  return same.length > 0 && !(await isEqual(client, chain, websiteId, same, most))
}

async function isEqual(
  client: ClickHouseClient,
  { table, columns, rows, sums }: (typeof chains)[number],
  website: string,
  span: readonly Day[],
  most: number,
): Promise<boolean> {
  const days = span.map(({ day }) => day)
  const bounds = {
    websites: [website],
    ...{ start: Math.min(...days) * dayLength, end: (Math.max(...days) + 1) * dayLength },
  }
  const query_params = { ...boundInRows, ...bounds, days, numbers: span.map(({ seal }) => seal) }
  // These columns are summed over rows and slices, because the rows of several slices together equal one row.
  const keys = columns.filter((name) => !sums.some((sum) => sum === name))
  const weights = sums.length > 0 ? sums : ['1']
  const numbers = weights.map((weight) => `toString(sum(sipHash64(tuple(${keys.join(', ')})) * ${weight}))`)
  const digest = async (from: string, of: object) => {
    const [row] = await frugallySelected<{ sums: string[] }>(
      client,
      `SELECT [${numbers.join(', ')}] AS sums ${from}`,
      of,
    )
    return row!.sums.map(BigInt)
  }
  const isOfDays = 'toInt32(toDate32(hour)) IN {days:Array(Int32)}'
  const stored = await digest(
    `FROM ${table} WHERE ${isOfNamed} AND ${isOfDays} AND seal IN {numbers:Array(UInt64)}`,
    query_params,
  )
  const slices = Math.ceil(span.reduce((sum, one) => sum + one.stored, 0) / most)
  let made = stored.map(() => 0n)
  for await (const { slice, earlier } of slicesOf(client, bounds, { slices, most, source: 'actions' })) {
    const part = await digest(`FROM (${rows(earlier)}) WHERE ${isOfDays}`, { ...query_params, ...slice })
    made = made.map((sum, place) => BigInt.asUintN(64, sum + part[place]!))
  }
  return String(stored) === String(made)
}
