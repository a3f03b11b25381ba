import type { FieldFilters } from '../../request/filters.ts'
import { allFilters, type Selection } from '../language/scope.ts'
import { all, any, type Fragment } from '../language/sql.ts'
import { patternCheck, textCondition } from '../language/text.ts'

/** A selection's filters on paths, including locked ones. */
export interface PathFilters {
  /** The selection without its filters on paths. */
  readonly rest: Selection
  /** Returns the condition that views of a path pass all filters on paths. */
  readonly pass: (path: Fragment) => Fragment
  /** The path that passes, if exactly one does; never empty. */
  readonly one: string | undefined
  readonly areLocked: boolean
}

/**
 * Undefined if there are no filters on paths, or if a view can also pass because of another column instead of its path.
 */
export function pathFilters(selection: Selection): PathFilters | undefined {
  const { scope, filters } = selection
  const given = allFilters(selection)
  const ofPaths = given.map(onlyPaths)
  const fields = ofPaths.flatMap((filters) => filters.fields)
  const areMixed = given.some(
    ({ match, fields }, place) => match === 'any' && ![0, fields.length].includes(ofPaths[place]!.fields.length),
  )
  if (fields.length === 0 || areMixed) return undefined
  const [first] = fields
  const values = fields.length === 1 && first?.operator === 'eq' ? first.values : []
  return {
    rest: { ...selection, scope: { ...scope, only: scope.only.map(withoutPaths) }, filters: withoutPaths(filters) },
    pass: (path) => all(...ofPaths.flatMap((filters) => conditionsOn(path, filters))),
    one: values.length === 1 && values[0] !== '' ? values[0] : undefined,
    areLocked: scope.only.some((filters) => onlyPaths(filters).fields.length > 0),
  }
}

const onlyPaths = ({ match, fields }: FieldFilters): FieldFilters => ({
  match,
  fields: fields.filter(({ field }) => field === 'path'),
})

const withoutPaths = <Given extends FieldFilters>(filters: Given): Given => ({
  ...filters,
  fields: filters.fields.filter(({ field }) => field !== 'path'),
})

function conditionsOn(path: Fragment, { match, fields }: FieldFilters): (Fragment | undefined)[] {
  const conditions = fields.map((filter) => textCondition(path, filter))
  return [...(match === 'any' ? [any(...conditions)] : conditions), ...fields.map(patternCheck)]
}
