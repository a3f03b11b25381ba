import { useEffect, useRef, useState } from 'preact/hooks'
import type { Period } from '../address/period.ts'
import { useAnswer } from '../data/use-answer.ts'
import type { Metric } from '../figures/metrics.ts'
import { formatBucket, formatTick } from '../format/moments.ts'
import { formatChange } from '../format/numbers.ts'
import { Fault } from '../parts/notice.tsx'
import type { Plot } from './plot.ts'
import type { Point } from './series.ts'

interface ChartProps {
  /** Undefined until the numbers have loaded. */
  readonly points: readonly Point[] | undefined
  readonly metric: Metric
  readonly period: Period
  readonly isLoading: boolean
  /** Selects the days between the starts of two buckets, in milliseconds since 1970. */
  readonly onSpan: (first: number, last: number) => void
}

interface Place {
  readonly index: number
  readonly left: number
}

/** The drawing code loads in parallel with the first numbers. */
const drawing = { key: 'plot', topic: 'plot', ask: () => import('./plot.ts') }

/** The metric over time. The arrow keys move from bucket to bucket, like the pointer. */
export function Chart({ points, metric, period, isLoading, onSpan }: ChartProps) {
  const [host, plot] = [useRef<HTMLDivElement>(null), useRef<Plot | undefined>(undefined)]
  const [place, setPlace] = useState<Place | undefined>(undefined)
  const latest = useRef({ points, onSpan })
  latest.current = { points, onSpan }
  const tick = (start: number) => formatTick(start, period)
  const code = useAnswer(drawing)
  useEffect(() => {
    if (!points || !host.current || !code.value) return
    const content = { points, metric, tick }
    if (plot.current) return plot.current.draw(content)
    plot.current = code.value.plotIn(host.current, content, {
      onPoint: setPlace,
      onSpan: (first, last) => {
        const [from, to] = [latest.current.points?.[first], latest.current.points?.[last]]
        if (from && to) latest.current.onSpan(from.start, to.start)
      },
    })
  }, [points, metric, code.value])
  useEffect(() => () => plot.current?.end(), [])
  // Once a script has failed to load, browsers do not try again until the page is reloaded.
  if (code.error !== undefined) return <Fault error={code.error} retry={() => location.reload()} />
  const pointed = place && points?.[place.index]
  const all = points?.length ?? 0
  const move = (event: KeyboardEvent) => {
    const now = place?.index ?? -1
    const next = { ArrowRight: now + 1, ArrowLeft: now < 0 ? all - 1 : now - 1, Home: 0, End: all - 1 }[event.key]
    if (event.key === 'Escape') plot.current?.point(undefined)
    if (next === undefined) return
    event.preventDefault()
    plot.current?.point(Math.min(Math.max(next, 0), all - 1))
  }
  return (
    <div class={isLoading ? 'chart waits' : 'chart'}>
      <div
        class={points && code.value ? 'plot' : 'plot bone'}
        ref={host}
        role="slider"
        tabIndex={0}
        aria-label={`${metric.label} by ${period.unit}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(all - 1, 0)}
        aria-valuenow={place?.index ?? 0}
        aria-valuetext={pointed ? sentenceOf(pointed, metric, period) : 'Arrow keys go through the chart.'}
        onKeyDown={move}
        onBlur={() => plot.current?.point(undefined)}
      />
      {pointed && place && (
        <Tooltip point={pointed} left={place.left} metric={metric} period={period} host={host.current} />
      )}
      {points ? <Values points={points} metric={metric} period={period} /> : <p class="values">&nbsp;</p>}
    </div>
  )
}

const textOf = ({ value }: Pick<Point, 'value'>, metric: Metric): string =>
  value === undefined ? '–' : metric.formatFull(value)

function sentenceOf(point: Point, metric: Metric, period: Period): string {
  const unfinished = point.isUnfinished ? ' so far' : ''
  const before = point.before ? `; ${textOf(point.before, metric)} before` : ''
  const notes = point.notes.map((note) => `; ${note}`).join('')
  return `${formatBucket(point.start, period)}: ${textOf(point, metric)}${unfinished}${before}${notes}`
}

interface TooltipProps {
  readonly point: Point
  readonly left: number
  readonly metric: Metric
  readonly period: Period
  readonly host: HTMLElement | null
}

function Tooltip({ point, left, metric, period, host }: TooltipProps) {
  const over = host?.querySelector<HTMLElement>('.u-over')
  const from = (over?.offsetLeft ?? 0) + left
  const isRight = from > (host?.clientWidth ?? 0) / 2
  const [now, before] = [point.value, point.before?.value]
  const change = now !== undefined && before !== undefined ? formatChange(now, before) : undefined
  const isGood = now !== undefined && before !== undefined && now > before === metric.isMoreBetter
  return (
    <div
      class="tooltip"
      aria-hidden="true"
      style={isRight ? { right: `${(host?.clientWidth ?? 0) - from + 12}px` } : { left: `${from + 12}px` }}
    >
      <p class="tooltip-title">{metric.label}</p>
      <p>
        <span class="swatch" />{' '}
        <span>
          {formatBucket(point.start, period)}
          {point.isUnfinished && ', so far'}
        </span>
        <strong>{textOf(point, metric)}</strong>
      </p>
      {point.before && (
        <p class="tooltip-before">
          <span class="swatch" /> <span>{formatBucket(point.before.start, period)}</span>
          <strong>{textOf(point.before, metric)}</strong>
        </p>
      )}
      {change && !point.isUnfinished && (
        <p class={`tooltip-change ${now === before ? 'quiet' : isGood ? 'good' : 'bad'}`}>{change}</p>
      )}
      {point.notes.map((note) => (
        <p key={note} class="tooltip-note" dir="auto">
          {note}
        </p>
      ))}
    </div>
  )
}

/** The numbers of the chart as a table. */
function Values({ points, metric, period }: { points: readonly Point[]; metric: Metric; period: Period }) {
  const [isOpen, setOpen] = useState(false)
  const hasBefore = points.some(({ before }) => before)
  return (
    <details class="values" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{metric.label} as a table</summary>
      {isOpen && (
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">{metric.label}</th>
              {hasBefore && <th scope="col">Before</th>}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.start}>
                <th scope="row">{formatBucket(point.start, period)}</th>
                <td>{textOf(point, metric)}</td>
                {hasBefore && <td>{point.before ? textOf(point.before, metric) : '–'}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}
