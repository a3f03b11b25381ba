import type { Answer } from '@weir/client'
import { useEffect, useState } from 'preact/hooks'
import { type Demo, shownPeriod } from '../parts/demo.ts'
import { Sparkline } from '../parts/sparkline.tsx'
import { useLive } from '../parts/use-live.ts'

type Series = Answer<'getWebsitePageviews'>['sessions']

const wholeNumber = new Intl.NumberFormat()

/** The current visitors of the demo website, and its daily visitors over a month. */
export function DemoCard({ demo }: { readonly demo: Demo }) {
  const { client, websiteId } = demo
  const { message, age } = useLive<Answer<'getRealtime'>>(websiteId, (signal) =>
    client.getRealtime({ websiteId }, { accept: 'text/event-stream', signal }),
  )
  const now = age === undefined ? message?.totals.visitors : undefined
  const days = useDays(demo)
  return (
    <section class="card demo" aria-labelledby="demo">
      <h2 id="demo">The demo website</h2>
      <p class="live-figure" aria-live="polite">
        {age === undefined && <span class="pulse" aria-hidden="true" />}
        <strong data-figure="live">{now === undefined ? '–' : wholeNumber.format(now)}</strong>{' '}
        {now === 1 ? 'visitor' : 'visitors'} in the last 30 minutes
      </p>
      {days && <Days days={days} />}
      <p class="links">
        <a class="control is-main" href={`/share/${demo.slug}`}>
          Open the dashboard
        </a>
        <a class="control" href="/demo">
          See your own visit arrive
        </a>
      </p>
    </section>
  )
}

/** Visitors by day, as a line from the first day to the last. */
function Days({ days }: { readonly days: Series }) {
  const greatest = Math.max(0, ...days.map(({ y }) => y))
  const dateAt = (index: number) => {
    const day = days.at(index)
    // The name of each bucket is its local start time.
    return day
      ? new Date(day.x.replace(' ', 'T')).toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
      : ''
  }
  return (
    <figure class="days">
      <Sparkline values={days.map(({ y }) => y)} />
      <figcaption class="quiet">
        <span>{dateAt(0)}</span>
        <span class="about">visitors by day, at most {wholeNumber.format(greatest)}</span>
        <span>{dateAt(-1)}</span>
      </figcaption>
    </figure>
  )
}

function useDays({ client, websiteId }: Demo): Series | undefined {
  const [days, setDays] = useState<Series | undefined>(undefined)
  useEffect(() => {
    const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
    const question = { websiteId, period: shownPeriod, unit: 'day', timezone, fill: 'true' } as const
    client.getWebsitePageviews(question).then(
      // Today is incomplete, so it is left out.
      ({ sessions }) => setDays(sessions.slice(0, -1)),
      () => undefined,
    )
  }, [client, websiteId])
  return days
}
