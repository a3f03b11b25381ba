import { Options } from '../parts/options.tsx'

interface Choice {
  readonly label: string
  /** The API's name of the period. */
  readonly name: string
}

/** The periods to choose from. The key, a number of days, is their name in the URL. */
const periods: ReadonlyMap<string, Choice> = new Map([
  ['1', { label: 'Last 24 hours', name: '24h' }],
  ['7', { label: 'Last 7 days', name: 'last_7_days' }],
  ['30', { label: 'Last 30 days', name: 'last_30_days' }],
  ['90', { label: 'Last 90 days', name: 'last_90_days' }],
  ['all', { label: 'All time', name: 'all_time' }],
])

const usual = '30'

export const periodOf = (query: URLSearchParams): string => {
  const given = query.get('days') ?? usual
  return periods.has(given) ? given : usual
}

/** A period as the API's parameters, in the viewer's time zone. */
export const rangeOf = (period: string): { readonly period: string; readonly timezone: string } => ({
  period: periods.get(period)!.name,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

interface PeriodChoiceProps {
  readonly period: string
  readonly go: (change: Readonly<Record<string, string>>) => void
}

export function PeriodChoice({ period, go }: PeriodChoiceProps) {
  return (
    <label>
      Period{' '}
      <select value={period} onChange={({ currentTarget }) => go({ days: currentTarget.value, page: '' })}>
        <Options of={[...periods].map(([value, { label }]) => [value, label])} />
      </select>
    </label>
  )
}
