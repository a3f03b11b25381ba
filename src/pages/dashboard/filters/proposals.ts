import { useRef } from 'preact/hooks'
import type { FilterField } from '../address/fields.ts'
import { fieldName, isPlain, isSaved, isSetting, maySeeValues, type PlainField, propertyOf } from '../address/fields.ts'
import { useBoard } from '../cards/context.ts'
import { type Loaded, useAnswer } from '../data/use-answer.ts'
import { settingNames, valueName } from '../format/names.ts'
import { useSettled } from '../parts/use-settled.ts'

/** A suggested value for a filter. */
export interface Proposal {
  readonly value: string
  readonly text: string
}

/** The number of proposals in the panel. */
const most = 8

/**
 * Fields whose values are shown under names. They have few values, so the page requests all of them and searches the
 * names.
 */
const named: readonly FilterField[] = ['country', 'language', 'browser', 'device']

/** The maximum number of rows. There are fewer countries and languages. */
const all = 1000

interface Proposals {
  /** Values of the field that occur in the period and contain the text, the most frequent first. */
  readonly proposals: readonly Proposal[]
  /** The value of this name. Undefined if there is none. If the field's values have no names, the text itself. */
  readonly meant: string | undefined
}

export function useProposals(field: FilterField, text: string): Proposals {
  const { opening } = useBoard()
  const settled = useSettled(text)
  const [plain, saved, property] = [usePlain(field, settled), useSaved(field), useProperty(field)]
  const sought = text.toLowerCase()
  const setting = isSetting(field) ? Object.entries<string>(settingNames[field]) : []
  const found = [...plain, ...saved, ...property, ...setting.map(([value, name]) => ({ value, text: name }))]
  const textsOf = (one: Proposal) => [one.text.toLowerCase(), one.value.toLowerCase()]
  const isNamed = isPlain(field) ? named.includes(field) && maySeeValues(field, opening) : !propertyOf(field)
  return {
    proposals: found.filter((one) => textsOf(one).some((name) => name.includes(sought))).slice(0, most),
    meant: isNamed ? found.find((one) => textsOf(one).includes(sought))?.value : text,
  }
}

/** The parameters of the period without filters, because a filter of the same field would hide all other values. */
function useRange() {
  const { filters: _, ...range } = useBoard().input
  return range
}

/** The answer, but not one about the field that was chosen before. */
function useAbout<Value>(field: FilterField, { value, isLoading }: Loaded<Value>): Value | undefined {
  const about = useRef(field)
  if (!isLoading) about.current = field
  return about.current === field ? value : undefined
}

function usePlain(field: FilterField, text: string): Proposal[] {
  const { data, opening } = useBoard()
  const range = useRange()
  const isAsked = isPlain(field) && maySeeValues(field, opening)
  const search = named.includes(field) || text === '' ? {} : { search: text.replaceAll(',', '\\,') }
  const limit = named.includes(field) ? all : most
  const value = useAbout(
    field,
    useAnswer(isAsked ? data.fieldValues({ ...range, type: field as PlainField, limit, ...search }) : undefined),
  )
  return isAsked ? (value ?? []).map((one) => ({ value: one.value, text: valueName(field, one.value) })) : []
}

function useSaved(field: FilterField): Proposal[] {
  const { data, input } = useBoard()
  const value = useAbout(field, useAnswer(isSaved(field) ? data.segments(input.websiteId, field) : undefined))
  return isSaved(field) ? (value?.data ?? []).map(({ id, name }) => ({ value: id, text: name })) : []
}

function useProperty(field: FilterField): Proposal[] {
  const { data } = useBoard()
  const range = useRange()
  const property = propertyOf(field)
  const list = { ...range, propertyName: fieldName(field), dataType: Number(property?.type), limit: all }
  const value = useAbout(field, useAnswer(property && data.values(list)))
  return property ? (value ?? []).map((one) => ({ value: one.value, text: one.value })) : []
}
