import type { Answer } from '@weir/client'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { dayOf } from '../../request/time-zone.ts'
import { poll } from '../parts/polling.ts'
import { ThemePicker } from '../parts/theme.tsx'
import type { Address } from './address/address.ts'
import { mayFilter } from './address/fields.ts'
import { toggled } from './address/filters.ts'
import { comparedWith, type Period, parametersOf } from './address/period.ts'
import type { Go } from './address/use-address.ts'
import { type Board, BoardProvider } from './cards/context.ts'
import { Devices } from './cards/devices/index.tsx'
import { Events } from './cards/events/index.tsx'
import { Goals } from './cards/goals/index.tsx'
import { Live } from './cards/live/index.tsx'
import { useMaking } from './cards/making.ts'
import { Pages } from './cards/pages/index.tsx'
import { Performance } from './cards/performance/index.tsx'
import { Places } from './cards/places/index.tsx'
import { Reports } from './cards/reports/index.tsx'
import { Retention } from './cards/retention/index.tsx'
import { Revenue } from './cards/revenue/index.tsx'
import { Sessions } from './cards/sessions/index.tsx'
import { Sources } from './cards/sources/index.tsx'
import { Chart } from './chart/chart.tsx'
import { around, notesIn } from './chart/notes.ts'
import { pointsOf, seriesFile } from './chart/series.ts'
import { ageOf, type Data } from './data/data.ts'
import type { Opening, Subject } from './data/opening.ts'
import { type Loaded, useAnswer } from './data/use-answer.ts'
import { Figures } from './figures/figures.tsx'
import { has, metricOf } from './figures/metrics.ts'
import { Chips } from './filters/chips.tsx'
import { FilterButton } from './filters/filter-button.tsx'
import { formatDays } from './format/moments.ts'
import { ComparisonPicker, IntervalPicker, PeriodPicker, ZonePicker } from './parts/controls.tsx'
import { FileButton } from './parts/file-button.tsx'
import { Keys } from './parts/keys.tsx'
import { Age, Faults } from './parts/notice.tsx'
import { useIdle } from './parts/use-idle.ts'
import { useNow } from './parts/use-now.ts'
import { VisitorsNow } from './parts/visitors-now.tsx'
import { bucketsOf, seriesOf, totalsOf, viewOf } from './view.ts'

interface DashboardProps {
  readonly opening: Opening
  readonly data: Data
  readonly subject: Subject
  readonly address: Address
  readonly go: Go
  /** Requests everything again. */
  readonly refresh: () => void
  /** Reloads the figures and the chart. */
  readonly renew: () => void
  /** Reloads the owner's saved objects. */
  readonly changed: () => void
  readonly title: Loaded<string>
  readonly domain: string | undefined
  /** A control that chooses another part of a board. */
  readonly parts: ComponentChildren
  /** Shown instead of the numbers until the first event arrives. */
  readonly empty: ComponentChildren
}

/** The numbers of a website, link or pixel. */
export function Dashboard(props: DashboardProps) {
  const { opening, data, subject, address, go, refresh, renew, changed, title, domain, parts, empty } = props
  const now = useNow()
  const isIdle = useIdle()
  const dates = useFirstEvent(data, subject.id, refresh)
  const view = viewOf(opening, subject, address, dates, now)
  const { filters, common, isReady, hasTotals } = view
  const period = useSame(view.period)
  const totals = useAnswer(hasTotals ? totalsOf(data, view) : undefined)
  // The lists are rendered after the figures are painted. On a slow machine, the lists would delay the figures.
  const [hasBegun, setBegun] = useState(false)
  const isAnswered = isReady && !(hasTotals && totals.isLoading)
  useEffect(() => {
    if (isAnswered) setBegun(true)
  }, [isAnswered])
  const board: Board = {
    ...{ data, opening, address, go, filters, renew, changed },
    input: { ...common, ...parametersOf(period) },
    visitors: totals.isLoading ? undefined : totals.value?.visitors,
    toggle: (field, value) =>
      mayFilter(field, opening)
        ? () => go({ filters: toggled(address.filters, field, value), list: undefined, visitor: undefined })
        : undefined,
  }
  return (
    <BoardProvider value={board}>
      <main class={isIdle ? 'page is-idle' : 'page'}>
        <header class="head">
          <Title {...{ title, domain, parts }}>
            <VisitorsNow data={data} websiteId={subject.id} now={now} />
          </Title>
          <div class="controls">
            {opening.allowFilter && <FilterButton />}
            {address.period !== 'all' && hasTotals && <ComparisonPicker {...{ address, go }} />}
            <PeriodPicker {...{ address, period, go }} />
          </div>
        </header>
        <Chips filters={filters} />
        {dates.isEmpty && !empty && (
          <p class="banner" role="status">
            Waiting for the first event…
          </p>
        )}
        <Faults of={isReady ? [title] : [title, dates]} />
        {dates.isEmpty && empty ? (
          empty
        ) : (
          <>
            {hasTotals && <Overview {...{ opening, data, common, period, address, go, totals }} since={dates.first} />}
            {hasBegun ? <Cards /> : isReady && <div class="to-come" />}
          </>
        )}
        <div class="about quiet">
          {formatDays(period.from, period.to)} {!address.isEmbedded && <Keys />}
          {opening.credential.key === undefined && !address.isEmbedded && <ThemePicker otherwise={opening.theme} />}{' '}
          <ZonePicker {...{ address, go }} />
        </div>
      </main>
    </BoardProvider>
  )
}

const Cards = () => (
  <>
    <div class="cards">
      <Pages />
      <Sources />
      <Places />
      <Devices />
      <Events />
      <Live />
      <Revenue />
      <Performance />
      <Retention />
    </div>
    <div class="cards is-wide">
      <Reports />
      <Sessions />
    </div>
    {/* These cards load last, and would move what stands below them. */}
    <div class="cards">
      <Goals />
    </div>
  </>
)

interface TitleProps extends Pick<DashboardProps, 'title' | 'domain' | 'parts'> {
  readonly children: ComponentChildren
}

const Title = ({ title, domain, parts, children }: TitleProps) => (
  <div class="title">
    <h1 dir="auto" title={title.value}>
      {title.value ?? (title.error ? 'Statistics' : <span class="bone">&nbsp;</span>)}
    </h1>
    {domain && (
      <p class="domain quiet" dir="auto">
        {domain}
      </p>
    )}
    {parts}
    {children}
  </div>
)

interface OverviewProps {
  readonly opening: Opening
  readonly data: Data
  readonly common: { readonly websiteId: string; readonly filters?: string }
  readonly period: Period
  readonly address: Address
  readonly go: Go
  readonly totals: Loaded<Answer<'getWebsiteStats'>>
  /** The time of the first event. */
  readonly since: number | undefined
}

/** The figures and the chart. */
function Overview({ opening, data, common, period, address, go, totals, since }: OverviewProps) {
  const making = useMaking()
  const other = useMemo(() => comparedWith(period, address), [period, address.compare, address.period])
  const metric = metricOf(address.metric)
  const series = useAnswer(seriesOf(data, { common, period }, metric))
  const before = useAnswer(other && data.totals({ ...common, ...parametersOf(other.passed) }, { rank: 'compared' }))
  const earlier = useAnswer(
    other &&
      data.series({ ...common, ...parametersOf(other.whole), ...bucketsOf(period, metric) }, { rank: 'compared' }),
  )
  const marked = useAnswer(
    opening.allowFilter ? data.notes({ ...around(period), websiteId: common.websiteId, pageSize: 100 }) : undefined,
  )
  const notes = useMemo(() => notesIn(period, marked.value?.data), [marked.value, period])
  const drawing = useMemo(
    () =>
      series.value && has(series.value, metric)
        ? { points: pointsOf(series.value, other && earlier.value, { metric, period, notes, since }), metric }
        : undefined,
    [series.value, earlier.value, notes, other, metric, since],
  )
  // The chart shows the previous figure until the new series has loaded.
  const drawn = useRef(drawing)
  if (drawing) drawn.current = drawing
  const points = drawn.current?.points
  const saved = series.isLoading || earlier.isLoading ? undefined : drawing
  const zoom = (first: number, last: number) => {
    if (period.unit === 'hour') return
    const next = points?.find(({ start }) => start > last)?.start
    const to = next === undefined ? period.to : dayOf(next - 1, period.zone)
    go({ period: 'custom', from: dayOf(first, period.zone), to })
  }
  return (
    <section class="card overview" aria-label="Overview" data-card="overview">
      <Age seconds={ageOf(totals.value)} />
      <Figures
        totals={totals}
        before={other && before}
        chosen={metric.name}
        choose={(chosen) => go({ metric: chosen })}
      />
      <div class="chart-head">
        <IntervalPicker {...{ period, go }} />
        {making && <making.Notes {...{ notes, period }} />}
        {opening.allowExport && points && (
          <FileButton
            name={`${metric.label} ${period.from} ${period.to}.csv`}
            make={saved && (async () => seriesFile(saved.points, metric))}
          >
            CSV
          </FileButton>
        )}
        {opening.sections === 'all' && (
          <FileButton
            name={`${period.from} ${period.to}.zip`}
            make={() => data.allFiles({ ...common, ...parametersOf(period) })}
          >
            All as CSV
          </FileButton>
        )}
      </div>
      {totals.error || series.error ? (
        <Faults of={[totals, series]} />
      ) : (
        <Chart
          {...{ points, period }}
          metric={drawn.current?.metric ?? metric}
          isLoading={series.isLoading}
          onSpan={zoom}
        />
      )}
    </section>
  )
}

/**
 * The time of the first event. While there is none, polls every five seconds; once there is one, refreshes everything.
 */
function useFirstEvent(data: Data, websiteId: string, refresh: () => void) {
  const question = data.dates(websiteId)
  const answer = useAnswer(question)
  const { value } = answer
  const isEmpty = value !== undefined && value.startDate === null
  useEffect(() => {
    if (!isEmpty) return
    const ask = async (signal: AbortSignal) => {
      const isThere = (await question.ask(signal)).startDate !== null
      if (isThere && !signal.aborted) refresh()
      return isThere
    }
    return poll({ ask, pause: 5000 })
  }, [isEmpty, question.key])
  const first = value?.startDate ? Date.parse(value.startDate) : undefined
  return { ...answer, isKnown: value !== undefined, isEmpty, first }
}

/** Returns the same object as before as long as its content does not change. */
function useSame<Value extends object>(value: Value): Value {
  const key = JSON.stringify(value)
  return useMemo(() => value, [key])
}
