import type { Answer, Input } from '@weir/client'
import { fieldName, isPlain, type SavedField } from '../../dashboard/address/fields.ts'
import { operatorName, withFilter } from '../../dashboard/address/filters.ts'
import { useBoard } from '../../dashboard/cards/context.ts'
import { useAnswer } from '../../dashboard/data/use-answer.ts'
import { valueName } from '../../dashboard/format/names.ts'
import { reasonOf } from '../../session/reason.ts'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { Item } from './item.tsx'
import { Opener } from './opener.tsx'

/** All segments and cohorts: use, rename and delete them. */
export const Segments = ({ close }: { readonly close: () => void }) => (
  <Opener text="Segments and cohorts" icon="list">
    {() => (
      <>
        <SegmentList type="segment" title="Segments" close={close} />
        <SegmentList type="cohort" title="Cohorts" close={close} />
      </>
    )}
  </Opener>
)

interface SegmentListProps {
  readonly type: SavedField
  readonly title: string
  readonly close: () => void
}

function SegmentList({ type, title, close }: SegmentListProps) {
  const { data, input } = useBoard()
  const { value, error } = useAnswer(data.segments(input.websiteId, type))
  return (
    <section>
      <h3>{title}</h3>
      {error !== undefined && <p role="alert">{reasonOf(error)}</p>}
      {value?.data.length === 0 && (
        <p class="quiet">None yet. {type === 'segment' && 'Set filters, then choose “Save as segment” beside them.'}</p>
      )}
      <ul class="items">
        {value?.data.map((segment) => (
          <Segment key={segment.id} {...{ segment, close }} />
        ))}
      </ul>
    </section>
  )
}

interface SegmentProps extends Pick<SegmentListProps, 'close'> {
  readonly segment: Answer<'getWebsiteSegments'>['data'][number]
}

function Segment({ segment: { id, type, name, parameters }, close }: SegmentProps) {
  const { data, input, address, go, changed } = useBoard()
  const saved = { websiteId: input.websiteId, segmentId: id }
  const rename = async (given: FormData) => {
    const body = { ...saved, type, name: String(given.get('name')), parameters }
    await data.client.updateWebsiteSegment(body as Input<'updateWebsiteSegment'>)
    changed()
  }
  const use = () => {
    go({ filters: withFilter(address.filters, { field: type, operator: 'eq', values: [id] }) })
    close()
  }
  const end = async () => {
    await data.client.deleteWebsiteSegment(saved)
    go({ filters: address.filters.filter(({ field, values }) => field !== type || values[0] !== id) })
    changed()
  }
  return (
    <Item
      {...{ name, edit: 'Rename', warning: 'Links that use it stop working.', end }}
      more={
        <button type="button" class="control" onClick={use}>
          Use<span class="unseen"> {name}</span>
        </button>
      }
      form={(stop) => (
        <Form act={(given) => rename(given).then(stop)} button="Save" cancel={stop}>
          <Field label="Name" name="name" required maxLength={200} defaultValue={name} />
        </Form>
      )}
    >
      <h4>
        <bdi>{name}</bdi>
      </h4>
      <p class="quiet">{selectionText(parameters)}</p>
    </Item>
  )
}

type Selection = Extract<Input<'createWebsiteSegment'>, { type: 'cohort' }>['parameters']

/** Describes which visitors a segment or a cohort selects. */
function selectionText({ action, match, filters = [] }: Selection): string {
  const does = action ? [`${action.type === 'path' ? 'Visited' : 'Did'} ${action.value}`] : []
  const conditions = filters.map(
    ({ name, operator, value }) =>
      `${isPlain(name) ? fieldName(name) : name} ${operatorName(operator)} ${[value]
        .flat()
        .map((one) => (isPlain(name) ? valueName(name, String(one)) : one))
        .join(' or ')}`,
  )
  return [...does, conditions.join(match === 'any' ? ' or ' : '; ')].join(': ')
}
