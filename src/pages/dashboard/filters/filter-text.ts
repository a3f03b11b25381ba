import { fieldName, isSaved, isSingle } from '../address/fields.ts'
import { type Filter, operatorName } from '../address/filters.ts'
import { valueName } from '../format/names.ts'

/** The field and the operator of a filter: `Page is not`. */
export function subjectText({ field, operator }: Filter): string {
  const isState = isSingle(field) && !isSaved(field)
  return isState ? `${fieldName(field)}:` : `${fieldName(field)} ${operatorName(operator)}`
}

/** The filter's values in the form that viewers see. For segments and cohorts, `names` contains their names by id. */
export const valueTexts = ({ field, values }: Filter, names: ReadonlyMap<string, string>): readonly string[] =>
  values.map((value) => (value === '' ? '(empty)' : (names.get(value) ?? valueName(field, value))))

/** A filter in words: `Page is /a or /b`. */
export const filterText = (filter: Filter, names: ReadonlyMap<string, string> = new Map()): string =>
  `${subjectText(filter)} ${valueTexts(filter, names).join(' or ')}`
