import { type Filter, type FilterField, fieldName } from '../address/filters.ts'
import { valueName } from '../format/names.ts'
import { Icon } from './icons.tsx'

interface ChipsProps {
  readonly filters: readonly Filter[]
  readonly remove: (field: FilterField, value: string) => void
  readonly removeAll: () => void
}

/** The filters, each with a button that takes it away. */
export function Chips({ filters, remove, removeAll }: ChipsProps) {
  const all = filters.flatMap(({ field, values }) => values.map((value) => ({ field, value })))
  if (all.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters">
      {all.map(({ field, value }) => {
        const text = valueName(field, value)
        return (
          <li key={`${field} ${value}`} class="chip">
            <span class="chip-text" title={text}>
              <span class="quiet" dir="auto">
                {fieldName(field)}
              </span>{' '}
              <bdi>{text}</bdi>
            </span>
            <button
              type="button"
              aria-label={`Remove ${fieldName(field)} ${text}`}
              onClick={() => remove(field, value)}
            >
              <Icon name="close" />
            </button>
          </li>
        )
      })}
      {all.length > 1 && (
        <li>
          <button type="button" class="link" onClick={removeAll}>
            Remove all
          </button>
        </li>
      )}
    </ul>
  )
}
