import type { Answer } from '@weir/client'
import { dayLength } from '../../../request/time-zone.ts'
import { clockText } from '../moments.ts'
import type { Playing, VisitedPage } from './use-player.ts'

type Action = Answer<'getWebsiteSessionActivity'>[number]

/** An entry of the list. `at` is in milliseconds since the start. */
interface Moment {
  readonly at: number
  readonly kind: 'page' | 'event'
  readonly text: string
}

/**
 * The times of custom events. They come from Weir's clock, but the recording uses the visitor's clock. If the two
 * clocks differ by more than a day, the visit's first action is assumed to be at the start of the replay.
 */
function momentsOf(actions: readonly Action[], start: number): Moment[] {
  const times = actions.map(({ createdAt }) => Date.parse(createdAt))
  const first = times.length > 0 ? Math.min(...times) : start
  const zero = Math.abs(first - start) > dayLength ? first : start
  return actions.flatMap(({ eventName }, place) =>
    eventName === '' ? [] : [{ at: Math.max(0, times[place]! - zero), kind: 'event' as const, text: eventName }],
  )
}

/** The path for a page of the website, the whole URL for other pages. */
function pageText({ url }: VisitedPage, domain: string): string {
  const parsed = URL.parse(url)
  return parsed && parsed.hostname === domain.replace(/:\d+$/, '') ? parsed.pathname + parsed.search + parsed.hash : url
}

interface MomentsListProps extends Pick<Playing, 'state' | 'pages' | 'start' | 'send'> {
  readonly actions: readonly Action[]
  readonly domain: string
}

/** The pages and events of the visit. A click seeks to their time. */
export function MomentsList({ state, pages, start, send, actions, domain }: MomentsListProps) {
  const seen = pages.map((page): Moment => ({ at: page.at, kind: 'page', text: pageText(page, domain) }))
  const all = [...seen, ...(start === undefined ? [] : momentsOf(actions, start))]
  all.sort((one, other) => one.at - other.at)
  const now = state?.at ?? 0
  const current = all.findLastIndex(({ at, kind }) => kind === 'page' && at <= now)
  return (
    <section class="card moments" aria-labelledby="moments">
      <h2 id="moments">Pages and events</h2>
      {all.length === 0 ? <p class="quiet">Nothing yet.</p> : null}
      <ol>
        {all.map(({ at, kind, text }, place) => (
          // The key needs no index: rows are never removed, and rows with the same key are identical.
          <li key={`${at} ${kind} ${text}`}>
            <button
              type="button"
              class="moment"
              data-kind={kind}
              aria-current={place === current}
              disabled={!state || at > state.duration}
              onClick={() => send({ is: 'seek', at })}
            >
              <time class="quiet">{clockText(at)}</time>
              <bdi>{text}</bdi>
              {kind === 'event' ? <span class="quiet">event</span> : null}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
