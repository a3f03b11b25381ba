import type { Answer } from '@weir/client'
import { useEffect, useRef } from 'preact/hooks'
import { useLive } from '../../../parts/use-live.ts'
import { fieldName } from '../../address/fields.ts'
import { opens } from '../../data/opening.ts'
import { formatMoment } from '../../format/moments.ts'
import { counted, formatWhole } from '../../format/numbers.ts'
import { Age } from '../../parts/notice.tsx'
import { Card } from '../card.tsx'
import { useBoard } from '../context.ts'
import { Rows } from '../rows.tsx'
import { Unanswered } from '../unanswered.tsx'

type Realtime = Answer<'getRealtime'>

/** The last 30 minutes, live. */
export function Live() {
  const { opening } = useBoard()
  return opens(opening, 'realtime') ? <LiveCard /> : null
}

function LiveCard() {
  const { data, input, address, filters, toggle } = useBoard()
  const { websiteId } = input
  const live = useLive<Realtime>(websiteId, (signal) => data.live({ websiteId }, signal))
  const { message: now, error, age, retry } = live
  useNews(now && `${now.totals.views} ${now.totals.events}`)
  const pages = now && Object.entries(now.urls).slice(0, 6)
  return (
    <Card name="live" title="Last 30 minutes" aside={age === undefined && <span class="pulse" aria-hidden="true" />}>
      {!now || !pages ? (
        <Unanswered {...{ error, retry }} bones={8} />
      ) : (
        <div class="live">
          <Age seconds={age} />
          <p class="live-figure" aria-live="polite">
            <strong data-figure="live">{formatWhole(now.totals.visitors)}</strong>{' '}
            {now.totals.visitors === 1 ? 'visitor' : 'visitors'}
            <span class="quiet">
              {counted(now.totals.views, 'view')}, {counted(now.totals.events, 'event')}
            </span>
          </p>
          {filters.length > 0 && (
            <p class="ignored quiet">
              Everything: the {filters.length === 1 ? 'filter' : 'filters'}{' '}
              <bdi>{[...new Set(filters.map(({ field }) => fieldName(field)))].join(', ')}</bdi> and the period do not
              apply here.
            </p>
          )}
          <Minutes now={now} zone={address.zone} />
          {pages.length > 0 ? (
            <Rows
              rows={pages.map(([path, count]) => ({
                ...{ key: path, label: path, count, share: undefined, isChosen: false },
                choose: toggle('path', path),
              }))}
              columns={['Page', 'Actions']}
            />
          ) : (
            <p class="empty">Nobody is here right now.</p>
          )}
        </div>
      )}
    </Card>
  )
}

/** Answers are cached for five seconds, so the next answer may still be outdated. */
const [rounds, pause] = [3, 5000]

/** When the count of the last minutes has changed, reloads the figures and the chart a few times. */
function useNews(count: string | undefined): void {
  const { opening, renew } = useBoard()
  const left = useRef(0)
  const before = useRef(count)
  const latest = useRef(renew)
  latest.current = renew
  useEffect(() => {
    if (before.current !== undefined && before.current !== count) left.current = rounds
    before.current = count
  }, [count])
  useEffect(() => {
    // The answers that other viewers get are cached for a minute.
    if (opening.sections !== 'all') return
    const timer = setInterval(() => {
      if (left.current > 0) latest.current()
      left.current = Math.max(0, left.current - 1)
    }, pause)
    return () => clearInterval(timer)
  }, [])
}

const minute = 60_000

/** A bar for each of the last 30 minutes. */
function Minutes({ now, zone }: { readonly now: Realtime; readonly zone: string }) {
  const views = new Map(now.series.views.map(({ x, y }) => [Date.parse(x), y]))
  const last = Math.floor(now.timestamp / minute) * minute
  const all = Array.from({ length: 30 }, (_, index) => last - (29 - index) * minute)
  const greatest = Math.max(1, ...views.values())
  return (
    <div
      class="minutes"
      role="img"
      aria-label={`Views by minute, at most ${formatWhole(Math.max(0, ...views.values()))}`}
    >
      {all.map((start) => (
        <span
          key={start}
          title={`${formatMoment(start, zone)}: ${formatWhole(views.get(start) ?? 0)}`}
          style={{ blockSize: `${Math.max(3, (100 * (views.get(start) ?? 0)) / greatest)}%` }}
        />
      ))}
    </div>
  )
}
