import type { Answer, Input } from '@weir/client'
import { useState } from 'preact/hooks'
import { opens } from '../../data/opening.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { formatMoment, formatTime } from '../../format/moments.ts'
import { counted, formatDuration } from '../../format/numbers.ts'
import { useBoard } from '../context.ts'
import { More } from '../more.tsx'
import { Unanswered } from '../unanswered.tsx'
import { PropertyList } from './said.tsx'

export type ActionsOf = Input<'getWebsiteSessionActivity'>

type Action = Answer<'getWebsiteSessionActivity'>[number]

/** The number of actions shown at first. */
const step = 100

/** The visits of a visitor, latest first. The actions of each visit are in chronological order. */
export function Visits({ of }: { readonly of: ActionsOf }) {
  const { data } = useBoard()
  const [limit, setLimit] = useState(step)
  const answer = useAnswer(data.activity({ ...of, limit: limit + 1 }))
  const replays = useReplays(of)
  const { value } = answer
  if (!value) return <Unanswered {...answer} bones={8} />
  return (
    <div class={answer.isLoading ? 'waits' : undefined}>
      {visitsIn(value.slice(0, limit)).map((actions) => (
        <Visit key={actions[0]?.visitId} {...{ actions, replays }} />
      ))}
      <More isLonger={value.length > limit} {...{ limit, setLimit }} />
    </div>
  )
}

/** The actions of each visit, the earliest first. */
function visitsIn(latestFirst: readonly Action[]): Action[][] {
  const visits = new Map<string, Action[]>()
  for (const action of latestFirst) visits.set(action.visitId, [action, ...(visits.get(action.visitId) ?? [])])
  return [...visits.values()]
}

/** The recorded visits, if the viewer may see them. Shares never show them. */
function useReplays({ websiteId, sessionId }: ActionsOf): ReadonlySet<string> {
  const { data, opening } = useBoard()
  const { value } = useAnswer(opening.sections === 'all' ? data.replays({ websiteId, sessionId }) : undefined)
  return new Set(value?.data.map(({ id }) => id))
}

interface VisitProps {
  readonly actions: readonly Action[]
  readonly replays: ReadonlySet<string>
}

function Visit({ actions, replays }: VisitProps) {
  const { address, input } = useBoard()
  const [first, last] = [actions[0]!, actions.at(-1)!]
  const events = actions.filter(({ eventName }) => eventName !== '').length
  const length = (Date.parse(last.createdAt) - Date.parse(first.createdAt)) / 1000
  const texts = [
    ...[counted(actions.length - events, 'view'), events > 0 && counted(events, 'event')],
    ...[length > 0 && formatDuration(length), first.referrerDomain && `from ${first.referrerDomain}`],
  ]
  return (
    <section class="visit" aria-labelledby={first.visitId} data-key={first.visitId}>
      <header>
        <h3 id={first.visitId}>{formatMoment(first.createdAt, address.zone)}</h3>
        <bdi class="quiet">{texts.filter(Boolean).join(' · ')}</bdi>
        {replays.has(first.visitId) && (
          <a class="control" href={`/replays/${input.websiteId}/${first.visitId}`}>
            Watch<span class="unseen"> the replay of this visit</span>
          </a>
        )}
      </header>
      <ol>
        {actions.map((action) => (
          <ActionRow key={action.eventId} action={action} />
        ))}
      </ol>
    </section>
  )
}

function ActionRow({ action }: { readonly action: Action }) {
  const { address, opening } = useBoard()
  const { createdAt, urlPath, urlQuery, eventName, hasData } = action
  const path = urlQuery === '' ? urlPath : `${urlPath}?${urlQuery}`
  const [isOpen, setOpen] = useState(false)
  const text = (
    <>
      <time class="quiet">{formatTime(createdAt, address.zone)}</time>
      <bdi>{eventName === '' ? path : eventName}</bdi>
      {eventName !== '' && (
        <bdi class="quiet">
          <span class="unseen">event on </span>
          {path}
        </bdi>
      )}
    </>
  )
  return (
    <li class={eventName === '' ? 'action' : 'action is-event'}>
      {hasData === 1 && opens(opening, 'events') ? (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{text}</summary>
          {isOpen && <EventProperties eventId={action.eventId} />}
        </details>
      ) : (
        <div>{text}</div>
      )}
    </li>
  )
}

function EventProperties({ eventId }: { readonly eventId: string }) {
  const { data, input } = useBoard()
  const answer = useAnswer(data.eventData({ websiteId: input.websiteId, eventId }))
  return answer.value ? <PropertyList properties={answer.value} /> : <Unanswered {...answer} bones={1} />
}
