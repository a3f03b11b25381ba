import type { Answer, Input } from '@weir/client'
import { visitorText } from '../../dashboard/format/visitor-text.ts'
import { useAsked } from '../../parts/use-asked.ts'
import type { Session } from '../../session/session.ts'
import { clockText, momentText } from '../moments.ts'
import { periodOf, rangeOf } from '../period.tsx'
import { Unread } from '../unread.tsx'
import { Pages, pageOf, pageSize } from './pages.tsx'

export interface ListProps {
  readonly session: Session
  readonly websiteId: string
  readonly query: URLSearchParams
  readonly go: (change: Readonly<Record<string, string>>) => void
}

/** The filters in the URL. A text may match any part of a value, and is never parsed as an operator. */
function filtersOf(query: URLSearchParams): string {
  const all = { path: query.get('path'), event: query.get('event') }
  const given = Object.entries(all).flatMap(([name, text]) => (text ? [[name, `c.${text}`]] : []))
  const device = query.get('device')
  return JSON.stringify(Object.fromEntries(device ? [...given, ['device', `eq.${device}`]] : given))
}

function inputOf(websiteId: string, query: URLSearchParams): Input<'getWebsiteReplays'> {
  const [search, min] = [query.get('search'), Number(query.get('min'))]
  return {
    ...{ websiteId, ...rangeOf(periodOf(query)), page: pageOf(query), pageSize },
    ...(search && { search }),
    ...(min > 0 && { minDuration: min }),
    filters: filtersOf(query),
  } as Input<'getWebsiteReplays'>
}

/** Recorded visits, the latest first. */
export function AllReplays({ session, websiteId, query, go }: ListProps) {
  const { value, error, again } = useAsked(`${websiteId} ${query}`, (signal) =>
    session.client.getWebsiteReplays(inputOf(websiteId, query), { signal }),
  )
  if (error !== undefined || value === undefined) return <Unread {...{ error, again }} />
  if (value.count === 0)
    return (
      <div class="notice">
        <p>
          No replays here. Read <a href="/docs/recorder.md">how to record visits</a>.
        </p>
      </div>
    )
  return (
    <>
      <ol class="card replays">
        {value.data.map((replay) => (
          <Row key={replay.id} replay={replay} />
        ))}
      </ol>
      <Pages {...{ query, go }} count={value.count} />
    </>
  )
}

function Row({ replay }: { readonly replay: Answer<'getWebsiteReplays'>['data'][number] }) {
  const { id, websiteId, startedAt, duration, eventCount, isViewed, distinctIds } = replay
  return (
    <li>
      <a class="replay-row" href={`/replays/${websiteId}/${id}`} data-seen={isViewed}>
        <span>{momentText(startedAt)}</span>
        <span class="length">{clockText(duration)}</span>
        <bdi>{distinctIds[0] ?? ''}</bdi>
        <bdi class="quiet">{visitorText(replay)}</bdi>
        <span class="quiet">{eventCount} changes</span>
        <span class="seen">{isViewed ? 'seen' : 'new'}</span>
      </a>
    </li>
  )
}
