import { type Answer, WeirError } from '@weir/client'
import { useAnswer } from '../../data/use-answer.ts'
import { formatMoment } from '../../format/moments.ts'
import { valueName } from '../../format/names.ts'
import { formatDuration, formatWhole } from '../../format/numbers.ts'
import { deviceText, placeText } from '../../format/visitor-text.ts'
import { Icon } from '../../parts/icons.tsx'
import { Modal } from '../../parts/modal.tsx'
import { useBoard } from '../context.ts'
import { ListFile } from '../list-file.tsx'
import { Unanswered } from '../unanswered.tsx'
import { PropertyList } from './said.tsx'
import { type ActionsOf, Visits } from './visits.tsx'

type Session = Answer<'getWebsiteSession'>

const isUnknown = (error: unknown): boolean => error instanceof WeirError && error.status === 404

/** One visitor: their attributes and actions. */
export function Visitor({ sessionId }: { readonly sessionId: string }) {
  const { data, input, address, go } = useBoard()
  const answer = useAnswer(data.session({ websiteId: input.websiteId, sessionId }))
  const { value } = answer
  // All actions of this session or, if the viewer may see distinct ids, of all sessions with the same distinct id.
  const of = {
    ...{ websiteId: input.websiteId, sessionId, period: 'all_time', timezone: address.zone },
    ...(value?.distinctId && { distinctId: value.distinctId }),
  }
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
        {isUnknown(answer.error) && <p class="empty">There is no such visitor here.</p>}
        {value && <Known session={value} of={of} />}
        {!value && !isUnknown(answer.error) && <Unanswered {...answer} bones={12} />}
      </div>
    </Modal>
  )
}

function Known({ session, of }: { readonly session: Session; readonly of: ActionsOf }) {
  const { data, address, toggle } = useBoard()
  const { websiteId, id, distinctId, distinctIds, language, screen, stitchedSessionCount } = session
  const said = useAnswer(data.saidOf({ websiteId, sessionId: id }))
  const moments = [session.firstAt, session.lastAt].map((at) => formatMoment(at, address.zone))
  const facts = {
    ...{ 'First seen': moments[0], 'Last seen': moments[1], Visits: formatWhole(session.visits) },
    ...{ Views: formatWhole(session.views), Events: formatWhole(session.events) },
    'Total time': formatDuration(session.totaltime),
  }
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
          {distinctId !== null && (
            <button type="button" class="control" onClick={toggle('distinctId', distinctId)}>
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
