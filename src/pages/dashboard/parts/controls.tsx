import { dateAfter } from '../../../request/time-zone.ts'
import { Options } from '../../parts/options.tsx'
import { type Address, type Comparison, type Interval, type PeriodName, viewerZone } from '../address/address.ts'
import { daysBetween, monthAfter } from '../address/dates.ts'
import { intervalsOf, type Period } from '../address/period.ts'
import type { Go } from '../address/use-address.ts'
import { formatDays, formatMonth } from '../format/moments.ts'
import { CustomPeriod } from './calendar.tsx'
import { Choices, Disclosure } from './disclosure.tsx'
import { Icon } from './icons.tsx'
import { useIdle } from './use-idle.ts'

const periods: readonly { readonly name: PeriodName; readonly text: string }[] = [
  { name: 'today', text: 'Today' },
  { name: 'yesterday', text: 'Yesterday' },
  { name: '7d', text: 'Last 7 days' },
  { name: '30d', text: 'Last 30 days' },
  { name: '90d', text: 'Last 90 days' },
  { name: 'month', text: 'This month' },
  { name: 'lastmonth', text: 'Last month' },
  { name: '12m', text: 'Last 12 months' },
  { name: 'year', text: 'This year' },
  { name: 'all', text: 'All time' },
]

interface ControlProps {
  readonly address: Address
  readonly period: Period
  readonly go: Go
}

function periodText({ period: name, from }: Address, period: Period): string {
  if (name === 'custom' || (name === 'year' && from)) return formatDays(period.from, period.to)
  if (name === 'month' && from) return formatMonth(from)
  return periods.find((one) => one.name === name)?.text ?? ''
}

/** Chooses the period. Also steps to the previous or next one. */
export function PeriodPicker({ address, period, go }: ControlProps) {
  const text = periodText(address, period)
  const isLast = period.until !== undefined
  return (
    <div class="stepper">
      <button type="button" class="control" aria-label="Earlier" onClick={() => go(stepped(address, period, -1))}>
        <Icon name="left" />
      </button>
      <Disclosure
        name="period"
        label="Period"
        summary={
          <>
            <Icon name="calendar" />
            <span>{text}</span>
          </>
        }
      >
        {(close) => (
          <>
            <Choices
              label="Period"
              all={periods}
              chosen={address.period}
              choose={(name) => {
                go({ period: name, from: undefined, to: undefined })
                close()
              }}
            />
            <CustomPeriod
              period={period}
              choose={(from, to) => {
                go({ period: 'custom', from, to })
                close()
              }}
            />
          </>
        )}
      </Disclosure>
      <button
        type="button"
        class="control"
        aria-label="Later"
        disabled={isLast}
        onClick={() => go(stepped(address, period, 1))}
      >
        <Icon name="right" />
      </button>
    </div>
  )
}

/** The previous or the next period: another month or year, or the same number of days. */
function stepped({ period: name }: Address, { from, to }: Period, step: 1 | -1): Partial<Address> {
  if (name === 'month' || name === 'lastmonth') return { period: 'month', from: monthAfter(from, step) }
  if (name === 'year') return { period: name, from: monthAfter(from, 12 * step) }
  const days = step * (daysBetween(from, to) + 1)
  return { period: 'custom', from: dateAfter(from, days), to: dateAfter(to, days) }
}

const comparisons: readonly { readonly name: Comparison; readonly text: string; readonly hint?: string }[] = [
  { name: 'prev', text: 'Previous period' },
  { name: 'weeks', text: 'Same weekdays before' },
  { name: 'yoy', text: 'Previous year' },
  { name: 'yoyweeks', text: 'Same weekdays a year before' },
  { name: 'none', text: 'No comparison' },
]

export function ComparisonPicker({ address, go }: Pick<ControlProps, 'address' | 'go'>) {
  const text = comparisons.find(({ name }) => name === address.compare)?.text ?? ''
  return (
    <Disclosure
      name="compare"
      label="Compare"
      summary={<span>{address.compare === 'none' ? text : `vs. ${text.toLowerCase()}`}</span>}
    >
      {(close) => (
        <Choices
          label="Compare with"
          all={comparisons}
          chosen={address.compare}
          choose={(compare) => {
            go({ compare })
            close()
          }}
        />
      )}
    </Disclosure>
  )
}

const intervals: Readonly<Record<Interval, string>> = { hour: 'Hours', day: 'Days', week: 'Weeks', month: 'Months' }

/** Chooses the chart's bucket length from those that fit the period. */
export function IntervalPicker({ period, go }: Pick<ControlProps, 'period' | 'go'>) {
  const all = intervalsOf(period)
  if (!all.some((one) => one === period.unit)) return null
  return (
    <select
      aria-label="Interval"
      value={period.unit}
      onChange={({ currentTarget }) => go({ interval: currentTarget.value as Interval })}
    >
      <Options of={all.map((one) => [one, intervals[one]])} />
    </select>
  )
}

/** Chooses the time zone for days and hours from all zones that the browser knows. */
export function ZonePicker({ address, go }: Pick<ControlProps, 'address' | 'go'>) {
  const isIdle = useIdle()
  const all = new Set([viewerZone(), 'UTC', address.zone, ...(isIdle ? Intl.supportedValuesOf('timeZone') : [])])
  return (
    <label class="zone">
      Time zone
      <select value={address.zone} onChange={({ currentTarget }) => go({ zone: currentTarget.value })}>
        <Options of={[...all].map((zone) => [zone, zone.replaceAll('_', ' ')])} />
      </select>
    </label>
  )
}
