import type { Answer } from '@weir/client'
import { useState } from 'preact/hooks'
import { Pager } from '../../../parts/pager.tsx'
import { writeAddress } from '../../address/address.ts'
import { ageOf } from '../../data/data.ts'
import { opens } from '../../data/opening.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { formatMoment } from '../../format/moments.ts'
import { markOf } from '../../format/names.ts'
import { formatWhole } from '../../format/numbers.ts'
import { deviceText, placeText } from '../../format/visitor-text.ts'
import { Age } from '../../parts/notice.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import { Card } from '../card.tsx'
import { useBoard } from '../context.ts'
import { ListFile } from '../list-file.tsx'
import { Mark } from '../rows.tsx'
import { Unanswered } from '../unanswered.tsx'
import { SaidOf } from './said.tsx'
import { Visitor } from './visitor.tsx'

const pageSize = 10

/** Individual visitors, the most recently seen first. */
export function Sessions() {
  const { opening, address } = useBoard()
  if (!opens(opening, 'sessions')) return null
  return (
    <>
      <SessionsCard />
      {address.visitor !== undefined && <Visitor key={address.visitor} sessionId={address.visitor} />}
    </>
  )
}

function SessionsCard() {
  const { data, input, address } = useBoard()
  const [search, setSearch] = useState('')
  const text = useSettled(search)
  const topic = JSON.stringify([input.websiteId, input.filters, address.period, address.from, address.to, text])
  const [place, setPlace] = useState({ topic, page: 1 })
  // After a change of the search or the period, the list starts again on its first page.
  const page = place.topic === topic ? place.page : 1
  const question = { ...input, ...(text && { search: text }) }
  const answer = useAnswer(data.sessions({ ...question, page, pageSize }))
  const { value } = answer
  const said = useAnswer(value && value.count > 0 ? data.said(input) : undefined)
  return (
    <Card
      name="sessions"
      title="Sessions"
      aside={<ListFile name="Sessions" make={() => data.listFile('getWebsiteSessions', question)} />}
    >
      <SearchField
        label="Search sessions"
        hint="Distinct id, city, browser, system, device"
        {...{ search, setSearch }}
      />
      {!value && <Unanswered {...answer} bones={pageSize} />}
      {value?.count === 0 && <p class="empty">{text ? 'Nothing found.' : 'Nobody was here in this period.'}</p>}
      {value && value.count > 0 && (
        <div class={answer.isLoading ? 'list waits' : 'list'}>
          <Age seconds={ageOf(value)} />
          <List sessions={value.data} hasSaid={(said.value?.length ?? 0) > 0} />
          {value.count > pageSize && (
            <Pager
              page={page}
              pages={Math.ceil(value.count / pageSize)}
              go={(next) => setPlace({ topic, page: next })}
            />
          )}
        </div>
      )}
    </Card>
  )
}

interface ListProps {
  readonly sessions: Answer<'getWebsiteSessions'>['data']
  /** Whether any session of the period has properties. */
  readonly hasSaid: boolean
}

const List = ({ sessions, hasSaid }: ListProps) => (
  <>
    <div class="session-row is-head" aria-hidden="true">
      {['Visitor', 'Device', 'First seen', 'Last seen', 'Visits', 'Views', 'Events'].map((head) => (
        <span key={head}>{head}</span>
      ))}
    </div>
    <ol class="sessions">
      {sessions.map((session) => (
        <SessionRow key={session.id} {...{ session, hasSaid }} />
      ))}
    </ol>
  </>
)

/** A link to the visitor's page. A plain click shows the visitor without loading another page. */
function SessionRow({ session, hasSaid }: { session: ListProps['sessions'][number]; hasSaid: boolean }) {
  const { address, go } = useBoard()
  const { id, country, firstAt, lastAt, visits, views, events } = session
  const distinctId = useDistinctId(session, hasSaid)
  const place = placeText(session)
  const cells = {
    ...{ 'First seen': formatMoment(firstAt, address.zone), 'Last seen': formatMoment(lastAt, address.zone) },
    ...{ Visits: formatWhole(visits), Views: formatWhole(views), Events: formatWhole(events) },
  }
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    go({ visitor: id })
  }
  return (
    <li data-key={id}>
      <a class="session-row" href={location.pathname + writeAddress({ ...address, visitor: id })} onClick={open}>
        <span class="session-who">
          {markOf(country) && <Mark code={markOf(country)} />}
          <span>
            <bdi>{distinctId ?? place}</bdi>
            {distinctId !== undefined && <bdi class="quiet">{place}</bdi>}
            {hasSaid && <SaidOf sessionId={id} />}
          </span>
        </span>
        <span>{deviceText(session)}</span>
        {Object.entries(cells).map(([name, text]) => (
          <span key={name}>
            <span class="unseen cell-name">{name} </span>
            {text}
          </span>
        ))}
      </a>
    </li>
  )
}

/** The distinct id of a session. If only an identify call set it, the session's events have none. */
function useDistinctId({ id: sessionId, distinctId }: ListProps['sessions'][number], hasSaid: boolean) {
  const { data, input } = useBoard()
  const of = { websiteId: input.websiteId, sessionId }
  const said = useAnswer(hasSaid && distinctId === null ? data.saidOf(of) : undefined)
  const { value } = useAnswer(said.value?.length ? data.session(of) : undefined)
  return distinctId ?? value?.distinctIds[0]
}
