import { isSaved, type SavedField } from '../address/fields.ts'
import { type Filter, negated, operatorsOf, without } from '../address/filters.ts'
import { useBoard } from '../cards/context.ts'
import { useMaking } from '../cards/making.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Icon } from '../parts/icons.tsx'
import { filterText, subjectText, valueTexts } from './filter-text.ts'

/** The filters. A click on a filter negates it, and each filter has a button that removes it. */
export function Chips({ filters }: { readonly filters: readonly Filter[] }) {
  const { address, go } = useBoard()
  const making = useMaking()
  if (filters.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters">
      {filters.map((filter, index) => (
        <Chip
          // A negated filter keeps its place, so its button keeps the focus.
          key={index}
          filter={filter}
          negate={() => go({ filters: negated(address.filters, filter) })}
          remove={() => go({ filters: without(address.filters, filter) })}
        />
      ))}
      {filters.length > 1 && (
        <li>
          <button type="button" class="link" onClick={() => go({ filters: [] })}>
            Remove all
          </button>
        </li>
      )}
      {making && <making.NewSegment />}
    </ul>
  )
}

interface ChipProps {
  readonly filter: Filter
  readonly negate: () => void
  readonly remove: () => void
}

function Chip({ filter, negate, remove }: ChipProps) {
  const { field } = filter
  const names = useSavedNames(isSaved(field) ? field : undefined)
  const whole = filterText(filter, names)
  const text = (
    <>
      <span class="quiet" dir="auto">
        {subjectText(filter)}
      </span>{' '}
      {valueTexts(filter, names).map((one, index) => (
        <>
          {index > 0 && <span class="quiet"> or </span>}
          <bdi>{one}</bdi>
        </>
      ))}
    </>
  )
  return (
    <li class="chip">
      {operatorsOf(field).length > 1 ? (
        <button type="button" class="chip-text" title={`${whole}. Click for the opposite.`} onClick={negate}>
          {text}
        </button>
      ) : (
        <span class="chip-text" title={whole}>
          {text}
        </span>
      )}
      <button type="button" class="chip-end" aria-label={`Remove ${whole}`} onClick={remove}>
        <Icon name="close" />
      </button>
    </li>
  )
}

/** The names of the website's segments or cohorts, by their ids. */
function useSavedNames(field: SavedField | undefined): ReadonlyMap<string, string> {
  const { data, input } = useBoard()
  const { value } = useAnswer(field && data.segments(input.websiteId, field))
  return new Map(value?.data.map(({ id, name }) => [id, name]))
}
