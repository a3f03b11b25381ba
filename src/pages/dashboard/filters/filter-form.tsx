import { useId, useState } from 'preact/hooks'
import { Options } from '../../parts/options.tsx'
import { type FilterField, fieldName, mayFilter, otherFields, plainFields, propertyField } from '../address/fields.ts'
import { type Filter, type Operator, operatorName, operatorsOf, takesList } from '../address/filters.ts'
import { useBoard } from '../cards/context.ts'
import { opens } from '../data/opening.ts'
import { useAnswer } from '../data/use-answer.ts'
import { valueName } from '../format/names.ts'
import { Icon } from '../parts/icons.tsx'
import { type Proposal, useProposals } from './proposals.ts'
import { ValueChoices } from './value-choices.tsx'

/** A form for a new filter: its field, its operator, and one or several values. */
export function FilterForm({ add }: { readonly add: (filter: Filter) => void }) {
  const [field, setField] = useState<FilterField>('path')
  const [operator, setOperator] = useState<Operator>('eq')
  const [values, setValues] = useState<readonly string[]>([])
  const [text, setText] = useState('')
  const { proposals, meant } = useProposals(field, text)
  const isList = takesList(field, operator)
  // Only whole values have names.
  const typed = text !== '' && (operator === 'eq' || operator === 'neq') ? meant : text
  const given = isList ? [...new Set([...values, ...(typed ? [typed] : [])])] : [values[0] ?? typed ?? '']
  const isWhole = typed !== undefined && given.some((value) => value !== '')
  const chooseField = (name: FilterField) => {
    setField(name)
    setOperator(operatorsOf(name).find((one) => one === operator) ?? 'eq')
    setValues([])
    setText('')
  }
  const toggle = (value: string) => {
    const rest = values.filter((one) => one !== value)
    setValues(rest.length < values.length ? rest : isList ? [...values, value] : [value])
    setText('')
  }
  return (
    <form
      class="filter-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) add({ field, operator, values: given })
      }}
    >
      <FieldPicker field={field} choose={chooseField} />
      <label>
        <span class="quiet">Condition</span>
        <select
          value={operator}
          onChange={({ currentTarget }) => {
            setOperator(currentTarget.value as Operator)
            setValues([])
          }}
        >
          <Options of={operatorsOf(field).map((one) => [one, operatorName(one)])} />
        </select>
      </label>
      <ValuePicker {...{ field, operator, values, text, proposals, toggle, setText }} />
      <button type="submit" class="control is-main" disabled={!isWhole}>
        Add filter
      </button>
    </form>
  )
}

interface FieldPickerProps {
  readonly field: FilterField
  readonly choose: (field: FilterField) => void
}

/** A drop-down of all fields that viewers may filter by, including the properties of the period's events. */
function FieldPicker({ field, choose }: FieldPickerProps) {
  const { data, opening, input } = useBoard()
  const { value } = useAnswer(opens(opening, 'events') ? data.properties(input) : undefined)
  const properties = (value ?? []).flatMap(({ propertyName, dataType }) => propertyField(dataType, propertyName) ?? [])
  const groups = {
    Fields: plainFields.filter((one) => mayFilter(one, opening)),
    'Properties of events': [...new Set(properties)],
    ...otherFields,
  }
  return (
    <label>
      <span class="quiet">Field</span>
      <select value={field} onChange={({ currentTarget }) => choose(currentTarget.value as FilterField)}>
        {Object.entries(groups).map(
          ([label, fields]) =>
            fields.length > 0 && (
              <optgroup key={label} label={label}>
                <Options of={fields.map((one) => [one, fieldName(one)])} />
              </optgroup>
            ),
        )}
      </select>
    </label>
  )
}

interface ValuePickerProps {
  readonly field: FilterField
  readonly operator: Operator
  readonly values: readonly string[]
  readonly text: string
  readonly proposals: readonly Proposal[]
  readonly toggle: (value: string) => void
  readonly setText: (text: string) => void
}

/** A text field. Below it are the chosen values, and values that contain the text. The arrow keys move to them. */
function ValuePicker({ field, operator, values, text, proposals, toggle, setText }: ValuePickerProps) {
  const id = useId()
  const chosen = values.map(
    (value) => proposals.find((one) => one.value === value) ?? { value, text: valueName(field, value) },
  )
  const others = proposals.filter(({ value }) => !values.includes(value))
  const isPattern = operator === 're' || operator === 'nre'
  return (
    <>
      <label class="search">
        <span class="unseen">Value</span>
        <Icon name="search" />
        <input
          {...{ type: 'search', autocomplete: 'off', 'aria-describedby': id, value: text }}
          placeholder={isPattern ? 'A regular expression' : 'Value'}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="unseen" id={id} role="status">
        {isPattern ? '' : `${others.length} values are proposed below.`}
      </p>
      {!isPattern && <ValueChoices all={[...chosen, ...others]} chosen={values} choose={toggle} />}
    </>
  )
}
