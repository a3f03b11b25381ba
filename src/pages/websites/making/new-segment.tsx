import { isPlain } from '../../dashboard/address/fields.ts'
import { type Filter, takesList } from '../../dashboard/address/filters.ts'
import { useBoard } from '../../dashboard/cards/context.ts'
import { filterText } from '../../dashboard/filters/filter-text.ts'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { Opener } from './opener.tsx'

/** Saves the page's filters as a segment. Like the API, the page uses only one segment at a time. */
export function NewSegment() {
  const { filters } = useBoard()
  if (!filters.some(({ field }) => isPlain(field)) || filters.some(({ field }) => field === 'segment')) return null
  return (
    <li>
      <Opener text="Save as segment" icon="save">
        {(close) => <SegmentForm close={close} />}
      </Opener>
    </li>
  )
}

const isHeld = ({ field }: Filter): boolean => isPlain(field) || field === 'match'

/** Converts a filter into a condition of a segment. */
const saved = ({ field, operator, values }: Filter) =>
  ({ name: field, operator, value: takesList(field, operator) ? [...values] : values[0]! }) as never

function SegmentForm({ close }: { readonly close: () => void }) {
  const { data, input, filters, go, changed } = useBoard()
  const [held, others] = [filters.filter(isHeld), filters.filter((filter) => !isHeld(filter))]
  const isAny = held.some(({ field, values }) => field === 'match' && values[0] === 'any')
  const save = async (given: FormData) => {
    const { id } = await data.client.createWebsiteSegment({
      ...{ websiteId: input.websiteId, type: 'segment', name: String(given.get('name')) },
      parameters: { filters: held.filter(({ field }) => isPlain(field)).map(saved), ...(isAny && { match: 'any' }) },
    })
    changed()
    go({ filters: [{ field: 'segment', operator: 'eq', values: [id] }, ...others] })
    close()
  }
  return (
    <Form act={save} button="Create" cancel={close}>
      <ul class="conditions">
        {held.map((filter) => (
          <li key={JSON.stringify(filter)}>{filterText(filter)}</li>
        ))}
      </ul>
      {others.length > 0 && (
        <p class="quiet">
          A segment holds fields only. These stay beside it: {others.map((one) => filterText(one)).join('; ')}
        </p>
      )}
      <Field label="Name" name="name" required maxLength={200} placeholder="Readers on phones" autofocus />
    </Form>
  )
}
