/** The periods to choose from: days, as the address names them, and their label. */
const periods: ReadonlyMap<string, string> = new Map([
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['all', 'All time'],
])

const usual = '30'
const dayLength = 86_400_000

export const periodOf = (query: URLSearchParams): string => {
  const given = query.get('days') ?? usual
  return periods.has(given) ? given : usual
}

/** A period that ends with the current minute, so that a page that is asked again asks the same. */
export function rangeOf(period: string): { readonly startAt: number; readonly endAt: number } {
  const endAt = Math.ceil(Date.now() / 60_000) * 60_000
  return { startAt: period === 'all' ? 0 : endAt - Number(period) * dayLength, endAt }
}

interface PeriodChoiceProps {
  readonly period: string
  readonly go: (change: Readonly<Record<string, string>>) => void
}

export function PeriodChoice({ period, go }: PeriodChoiceProps) {
  return (
    <label>
      Period{' '}
      <select value={period} onChange={({ currentTarget }) => go({ days: currentTarget.value, page: '' })}>
        {[...periods].map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
