import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { dateAfter } from '../../../request/time-zone.ts'
import { daysBetween, endOfMonth, isDate, monthAfter } from '../address/dates.ts'
import type { Period } from '../address/period.ts'
import { formatLongDay, formatMonth, formatWeekday } from '../format/moments.ts'
import { Icon } from './icons.tsx'

interface Days {
  readonly from: string
  readonly to: string
}

interface CustomPeriodProps {
  readonly period: Period
  readonly choose: (from: string, to: string) => void
}

/** Lets the viewer choose a custom range, with two dates in text fields or two clicks in a calendar. */
export function CustomPeriod({ period, choose }: CustomPeriodProps) {
  const [{ from, to }, setDays] = useState<Days>(period)
  const [isHalf, setHalf] = useState(false)
  const isRight = isDate(from) && isDate(to) && from <= to
  const pick = (date: string) => {
    if (isHalf) setDays(date < from ? { from: date, to: from } : { from, to: date })
    else setDays({ from: date, to: date })
    setHalf(!isHalf)
  }
  return (
    <form
      class="custom"
      onSubmit={(event) => {
        event.preventDefault()
        if (isRight) choose(from, to)
      }}
    >
      <Calendar days={{ from, to }} pick={pick} />
      <label>
        From{' '}
        <input type="date" value={from} onInput={({ currentTarget }) => setDays({ from: currentTarget.value, to })} />
      </label>
      <label>
        To <input type="date" value={to} onInput={({ currentTarget }) => setDays({ from, to: currentTarget.value })} />
      </label>
      <button type="submit" class="control is-main" disabled={!isRight}>
        Show these days
      </button>
    </form>
  )
}

/** The week starts on Monday, like the API's weeks: 5 January 1970 was a Monday. */
const weekdays = Array.from({ length: 7 }, (_, index) => dateAfter('1970-01-05', index))

interface CalendarProps {
  readonly days: Days
  readonly pick: (date: string) => void
}

/** A month of days. The arrow keys move between days and weeks, and on to other months. */
function Calendar({ days: { from, to }, pick }: CalendarProps) {
  const root = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState(isDate(to) ? to : '1970-01-01')
  const isMoved = useRef(false)
  useLayoutEffect(() => {
    if (isMoved.current) root.current?.querySelector<HTMLElement>('.day[tabindex="0"]')?.focus()
    isMoved.current = false
  }, [shown])
  const month = monthAfter(shown, 0)
  const all = Array.from({ length: daysBetween(month, endOfMonth(month)) + 1 }, (_, index) => dateAfter(month, index))
  const before = (daysBetween('1969-12-29', month) + 7) % 7
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 }[event.key]
    const next = step === undefined ? '' : dateAfter(shown, step)
    if (!(event.target as Element).matches('.day') || !isDate(next)) return
    event.preventDefault()
    event.stopPropagation()
    setShown(next)
    isMoved.current = true
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the days within bubble up to here.
    <div class="calendar" ref={root} onKeyDown={onKeyDown}>
      <div class="calendar-head">
        <button
          type="button"
          class="control is-plain"
          aria-label="Previous month"
          onClick={() => setShown(monthAfter(month, -1))}
        >
          <Icon name="left" />
        </button>
        <strong aria-live="polite">{formatMonth(month)}</strong>
        <button
          type="button"
          class="control is-plain"
          aria-label="Next month"
          onClick={() => setShown(monthAfter(month, 1))}
        >
          <Icon name="right" />
        </button>
      </div>
      <div class="days">
        {weekdays.map((date) => (
          <span key={date} class="quiet" aria-hidden="true">
            {formatWeekday(date)}
          </span>
        ))}
        {all.map((date, index) => (
          <button
            key={date}
            type="button"
            class={from < date && date < to ? 'day is-between' : 'day'}
            style={index === 0 ? { gridColumnStart: String(before + 1) } : {}}
            tabIndex={date === shown ? 0 : -1}
            aria-label={formatLongDay(date)}
            aria-pressed={date === from || date === to}
            onClick={() => {
              setShown(date)
              pick(date)
            }}
          >
            {Number(date.slice(8))}
          </button>
        ))}
      </div>
    </div>
  )
}
