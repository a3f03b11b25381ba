import type { Answer } from '@weir/client'
import { useAnswer } from '../../data/use-answer.ts'
import { formatMoment } from '../../format/moments.ts'
import { valueName } from '../../format/names.ts'
import { formatDuration, formatWhole } from '../../format/numbers.ts'
import { deviceText, placeText } from '../../format/visitor-text.ts'
import { Icon } from '../../parts/icons.tsx'
import { Modal } from '../../parts/modal.tsx'
import { Fault } from '../../parts/notice.tsx'
import { useBoard } from '../context.ts'
import { ListFile } from '../list-file.tsx'
import { RowBones } from '../rows.tsx'
import { PropertyList } from './said.tsx'
import { type ActionsOf, Visits } from './visits.tsx'

type Session = Answer<'getWebsiteSession'>

/** One visitor: what is known of them, and what they did. */
export function Visitor({ sessionId }: { readonly sessionId: string }) {
  const { data, input, go } = useBoard()
  const { value, error, retry } = useAnswer(data.session({ websiteId: input.websiteId, sessionId }))
  const of = useActionsOf(sessionId, value)
  return (
    <Modal
      name="Visitor"
      title={
        <>
          Visitor <bdi class="quiet">{value && (value.distinctId ?? placeText(value))}</bdi>
        </>
      }
      aside={<ListFile name="Visitor" make={() => data.listFile('getWebsiteSessionActivity', of)} />}
      close={() => go({ visitor: undefined })}
    >
      <div class="visitor">
        {error ? <Fault error={error} retry={retry} /> : null}
        {!error && !value && <RowBones count={12} />}
        {!error && value && <Known session={value} of={of} />}
      </div>
    </Modal>
  )
}

/** The parameters of all that somebody did: in this session, and where the viewer may see distinct ids in all of theirs. */
function useActionsOf(sessionId: string, session: Session | undefined): ActionsOf {
  const { input, address } = useBoard()
  return {
    ...{ websiteId: input.websiteId, sessionId, period: 'all_time', timezone: address.zone },
    ...(session?.distinctId && { distinctId: session.distinctId }),
  }
}

function Known({ session, of }: { readonly session: Session; readonly of: ActionsOf }) {
  const { data, address, toggle, go } = useBoard()
  const { websiteId, id, distinctId, distinctIds, language, screen, stitchedSessionCount } = session
  const said = useAnswer(data.saidOf({ websiteId, sessionId: id }))
  const facts = {
    'First seen': formatMoment(session.firstAt, address.zone),
    'Last seen': formatMoment(session.lastAt, address.zone),
    Visits: formatWhole(session.visits),
    Views: formatWhole(session.views),
    Events: formatWhole(session.events),
    'Time in all': formatDuration(session.totaltime),
  }
  const filter = distinctId === null ? undefined : toggle('distinctId', distinctId)
  return (
    <>
      <p class="quiet">
        {[placeText(session), deviceText(session), valueName('language', language), screen].filter(Boolean).join(' · ')}
      </p>
      <dl class="facts">
        {Object.entries(facts).map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {distinctIds.length > 0 && (
        <p class="visitor-ids">
          <span class="quiet">{distinctIds.length > 1 ? 'Distinct ids' : 'Distinct id'}</span>{' '}
          {distinctIds.map((one) => (
            <bdi key={one}>{one}</bdi>
          ))}
          {stitchedSessionCount > 1 && <span class="quiet">in {formatWhole(stitchedSessionCount)} sessions</span>}
          {filter && (
            <button
              type="button"
              class="control"
              onClick={() => {
                filter()
                go({ visitor: undefined })
              }}
            >
              <Icon name="filter" /> Filter by this id
            </button>
          )}
        </p>
      )}
      {said.value && said.value.length > 0 && (
        <section aria-labelledby="said">
          <h3 id="said">Properties</h3>
          <PropertyList properties={said.value} />
        </section>
      )}
      <Visits of={of} />
    </>
  )
}
