import { compareDecimals, sumOfDecimals } from './decimals.ts'
import type { Answer } from './model.ts'
import { list, only } from './paging.ts'
import type { Reading } from './reading.ts'
import { foreignReferrer } from './referrers.ts'
import type { Sale } from './sales.ts'
import type { Range } from './selection.ts'
import { frameOf, inBuckets } from './series.ts'
import { actionsOf } from './sessions.ts'
import type { Sets } from './sets.ts'
import { compareText, containsIgnoringCase } from './text.ts'
import { distinctSessions } from './totals.ts'
import { grouped } from './visits.ts'

/** The selected sets in a range, and that range's sales in the request's currency. */
export type Earned = { sets: Sets; sales: Sale[] }

export function exactSum(sales: Sale[]): string {
  return sumOfDecimals(sales.map(({ sum }) => sum))
}

function sum(sales: Sale[]): number {
  return Number(exactSum(sales))
}

export function inCurrency(sales: Sale[], { settings }: Reading): Sale[] {
  const currency = settings.get('currency')
  if (currency === undefined) throw new Error('Oracle: currency is required')
  return sales.filter((sale) => sale.currency === currency.toUpperCase())
}

function figures({ sets, sales }: Earned) {
  const sessions = distinctSessions(actionsOf(sets))
  return {
    sum: sum(sales),
    count: sales.length,
    unique_count: distinctSessions(sales.map(({ row }) => row)),
    total_sessions: sessions,
    average: sales.length === 0 ? 0 : sum(sales) / sales.length,
    arpu: sessions === 0 ? 0 : sum(sales) / sessions,
  }
}

export function revenueStats(now: Earned, before: Earned): Answer {
  return only({ ...figures(now), comparison: figures(before) })
}

/** Sums by event name and bucket. */
export function revenueChart({ sales }: Earned, reading: Reading, range: Range): Answer {
  const frame = frameOf(reading, range)
  const chart = [...grouped(sales, ({ row }) => row.event_name)].flatMap(([x, ofName]) =>
    inBuckets(ofName, ({ row }) => row, frame).map(({ label, values }) => ({
      ...{ x, t: label, y: sum(values), count: values.length },
    })),
  )
  return only({ chart: chart.sort((left, right) => compareText(left.t, right.t) || compareText(left.x, right.x)) })
}

/** Each currency, with its number of sales. */
export function revenueCurrencies({ sales }: Earned, reading: Reading): Answer {
  const search = reading.settings.get('search') ?? ''
  const rows = [...grouped(sales, ({ currency }) => currency)].map(([currency, some]) => ({
    ...{ currency, count: some.length, sum: sum(some) },
  }))
  rows.sort((left, right) => right.count - left.count || compareText(left.currency, right.currency))
  return list(
    reading,
    rows.filter(({ currency }) => containsIgnoringCase(currency, search)),
  )
}

/** A sale's group, which may be empty. */
function nameOf(type: string, { row }: Sale, { visits }: Sets): string {
  const visit = visits.get(row.visit_id)
  switch (type) {
    case 'country':
      return row.country
    case 'region':
      return row.region
    case 'referrer':
      return visit === undefined ? '' : foreignReferrer(visit.landing)
    case 'channel':
      return visit === undefined ? 'Unknown' : visit.channel
    default:
      throw new Error(`Oracle: no such type: ${type}`)
  }
}

export function revenueMetrics({ sets, sales }: Earned, reading: Reading): Answer {
  const type = reading.settings.get('type') ?? ''
  const search = reading.settings.get('search') ?? ''
  const groups = grouped(sales, (sale) =>
    JSON.stringify([nameOf(type, sale, sets), type === 'region' ? sale.row.country : '']),
  )
  const rows = [...groups.values()].map((some) => ({
    ...{ name: nameOf(type, some[0]!, sets), country: some[0]!.row.country, sum: exactSum(some) },
  }))
  rows.sort(
    (left, right) =>
      compareDecimals(right.sum, left.sum) ||
      compareText(left.name, right.name) ||
      compareText(left.country, right.country),
  )
  return list(
    reading,
    rows
      .filter(({ name }) => containsIgnoringCase(name, search))
      .map(({ name, country, sum }) => ({ name, value: Number(sum), ...(type === 'region' ? { country } : {}) })),
  )
}
