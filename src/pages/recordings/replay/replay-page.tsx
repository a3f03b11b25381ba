import { useEffect, useMemo } from 'preact/hooks'
import { visitorText } from '../../dashboard/format/visitor-text.ts'
import { nameInTitle } from '../../parts/name-in-title.ts'
import { useAsked } from '../../parts/use-asked.ts'
import { reasonOf } from '../../session/reason.ts'
import type { Session } from '../../session/session.ts'
import { momentText } from '../moments.ts'
import { addressWith, showsSite, sourcesOf } from '../site.ts'
import { Controls } from './controls.tsx'
import { frameAddress, frameSandbox } from './frame.ts'
import { Keep } from './keep.tsx'
import { MomentsList } from './moments-list.tsx'
import { Refusal, type ReplayIds } from './stream.ts'
import { usePlayer } from './use-player.ts'

type Visit = Awaited<ReturnType<typeof visitOf>>

/** Facts about a recorded visit, without its events. */
async function visitOf({ client }: Session, { websiteId, replayId }: ReplayIds, signal: AbortSignal) {
  const [{ domain, name }, { sessionId }] = await Promise.all([
    client.getWebsite({ websiteId }, { signal }),
    client.getWebsiteReplay({ websiteId, replayId, until: 0 }, { signal }),
  ])
  const always = { startAt: 0, endAt: 9_999_999_999_999 }
  const [visitor, activity] = await Promise.all([
    client.getWebsiteSession({ websiteId, sessionId }, { signal }).catch(() => undefined),
    client.getWebsiteSessionActivity({ websiteId, sessionId, ...always, limit: 1000 }, { signal }),
  ])
  return { domain: domain ?? '', name, sessionId, visitor, actions: activity.filter((one) => one.visitId === replayId) }
}

interface ReplayPageProps extends ReplayIds {
  readonly session: Session
}

/** The page that plays a replay. */
export function ReplayPage({ session, ...ids }: ReplayPageProps) {
  const { websiteId, replayId } = ids
  const { value, error, again } = useAsked(replayId, (signal) => visitOf(session, ids, signal))
  useEffect(() => {
    if (value) document.title = `Replay · ${nameInTitle(value.name)}`
  }, [value])
  if (value) return <Played {...{ session, ids }} visit={value} />
  return (
    <main class="page">
      {error === undefined ? (
        <p class="unseen">Loading…</p>
      ) : (
        <div class="notice" role="alert">
          <h1>No replay</h1>
          <p>{reasonOf(error)}</p>
          <button type="button" class="control" onClick={again}>
            Try again
          </button>
          <a href={`/replays/${websiteId}`}>All replays</a>
        </div>
      )}
    </main>
  )
}

interface PlayedProps {
  readonly session: Session
  readonly ids: ReplayIds
  readonly visit: Visit
}

function Played({ session, ids, visit }: PlayedProps) {
  const { domain, name, visitor, actions } = visit
  const playing = usePlayer(session, ids)
  const { state, pages, start, isLoaded, error, isBroken, send, onLoad } = playing
  const sources = showsSite() ? sourcesOf(domain) : ''
  const address = useMemo(() => frameAddress(sources), [sources])
  const hasBegun = state !== undefined
  useEffect(() => {
    // A replay counts as watched once it has begun to play.
    if (hasBegun) session.client.viewWebsiteReplay(ids).catch(() => undefined)
  }, [hasBegun])
  return (
    <main class="page replay">
      <div class="head">
        <div class="title">
          <h1>Replay</h1>
          <p class="quiet">
            <bdi>{name}</bdi>
            {actions.length > 0 ? `, ${momentText(actions.at(-1)!.createdAt)}` : ''}
          </p>
        </div>
        <Keep {...{ session, ids }} />
      </div>
      <p>{visitor && <a href={`/websites/${ids.websiteId}?visitor=${visitor.id}`}>{visitorText(visitor)}</a>}</p>
      <div class="replay-parts">
        <section class="card stage" aria-label="Player">
          {/* It shows untrusted pages: docs/pages.md explains the isolation. */}
          <iframe title="What the visitor saw" sandbox={frameSandbox} src={address} onLoad={onLoad} tabIndex={-1} />
          {isBroken || error !== undefined ? (
            <p class="age" role="alert">
              {faultText(error, hasBegun)}
            </p>
          ) : null}
          <Controls {...{ state, isLoaded, send }} />
          {sourcesOf(domain) === '' ? null : (
            <p class="quiet">
              {showsSite() ? (
                <>
                  Images and fonts come from {domain}. <a href={addressWith(false)}>Load nothing from there</a>
                </>
              ) : (
                <>
                  Nothing is loaded from the website.{' '}
                  <a href={addressWith(true)}>Show images and fonts from {domain}</a>
                </>
              )}
            </p>
          )}
        </section>
        <MomentsList {...{ state, pages, start, send, actions, domain }} />
      </div>
    </main>
  )
}

function faultText(error: unknown, hasBegun: boolean): string {
  if (error instanceof Refusal) return 'This replay cannot be read right now. Reload the page to try again.'
  if (error !== undefined) return 'The rest of this replay could not be loaded. Reload the page to try again.'
  return hasBegun ? 'The rest of this replay cannot be played.' : 'This replay contains no page that can be shown.'
}
