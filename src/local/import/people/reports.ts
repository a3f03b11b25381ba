import { readParameters, typedParameters } from '../../../endpoints/saved-reports/parameters.ts'
import { type SavedReportType, savedReportTypes } from '../../../metadata/reports.ts'
import { formerFields } from '../../../request/client-names.ts'
import { isObject, picked } from './columns.ts'
import { type LeftOut, leftOut } from './thing.ts'

type Fields = Readonly<Record<string, unknown>>

/** A report as Weir saves it. `of` is its subject, which is added to its name if one row becomes several reports. */
interface Report {
  readonly type: SavedReportType
  readonly parameters: Fields
  readonly of: string
}

/** The names of report types before 3.0. */
const formerTypes: Readonly<Record<string, SavedReportType>> = { insights: 'breakdown', goals: 'goal' }

/** The parameters that are kept for each type. A saved report has no date range, because its reader chooses one. */
const kept: Readonly<Record<SavedReportType, readonly string[]>> = {
  attribution: ['model', 'type', 'step', 'currency'],
  breakdown: ['fields'],
  funnel: ['window', 'steps'],
  goal: ['type', 'value'],
  heatmap: ['mode', 'urlPath'],
  journey: ['steps', 'startStep', 'endStep'],
  performance: ['metric'],
  retention: [],
  revenue: ['currency'],
  utm: [],
}

/** The reports of a row, or the reason why it is left out. `isWhole` means that no report is lost. */
export function reportsIn(
  given: string,
  parameters: Fields,
): { readonly reports: readonly Report[]; readonly isWhole: boolean } | LeftOut {
  const type = formerTypes[given] ?? savedReportTypes.find((one) => one === given)
  if (type === undefined) return leftOut('its type is unknown', given)
  const all = type === 'goal' && Array.isArray(parameters.goals) ? parameters.goals : [parameters]
  const read = all.map((one) => reportIn(type, isObject(one) ? one : {}))
  const reports = read.flatMap((one) => ('fault' in one ? [] : [one]))
  const [fault] = read.flatMap((one) => ('fault' in one ? [one.fault] : []))
  if (reports.length > 0) return { reports, isWhole: fault === undefined }
  return leftOut('its parameters are not supported', fault ?? 'goals: none')
}

function reportIn(type: SavedReportType, given: Fields): Report | { readonly fault: string } {
  if (hasFilters(given)) return { fault: 'filters: A saved report has none here.' }
  const parameters = picked(current(type, given), kept[type])
  const read = readParameters(type, parameters)
  if ('input' in read) return { type, parameters: typedParameters(type, parameters), of: String(given.value ?? '') }
  const [{ path, message }] = read.faults as [(typeof read.faults)[number]]
  return { fault: `${path}: ${message}` }
}

/** Whether there are filters. They would change a report's figures. */
const hasFilters = ({ filters }: Fields): boolean => Array.isArray(filters) && filters.length > 0

/** The parameters with current names and values. */
function current(type: SavedReportType, given: Fields): Fields {
  switch (type) {
    case 'goal':
      return withPath(given)
    case 'funnel':
      return { ...given, steps: steps(given.steps ?? given.urls) }
    case 'breakdown':
      return { ...given, fields: fields(given.fields) }
    case 'attribution':
      return attribution(given)
    default:
      return given
  }
}

/** `path` was formerly called `url`. */
const withPath = (step: Fields): Fields => ({
  ...picked(step, ['type', 'value', 'filters']),
  ...(step.type === 'url' && { type: 'path' }),
})

/** The steps of a funnel. In the oldest format, each step is only an address. */
function steps(given: unknown): unknown {
  if (!Array.isArray(given)) return given
  return given.map((step: unknown) => {
    if (typeof step === 'string') return { type: 'path', value: step }
    return isObject(step) ? withPath(step) : step
  })
}

const fields = (given: unknown): unknown =>
  Array.isArray(given)
    ? given.map((field: unknown) => {
        const name = isObject(field) ? field.name : field
        return formerFields[String(name)] ?? name
      })
    : given

const formerModels: Readonly<Record<string, string>> = { firstClick: 'first-click', lastClick: 'last-click' }

/** Version 2.x has a list of steps, but its form fills only the first step. */
function attribution(given: Fields): Fields {
  const [first] = Array.isArray(given.steps) ? given.steps : []
  const step: Fields = isObject(first) ? { type: first.type, step: first.value } : given
  return {
    ...given,
    ...step,
    ...(step.type === 'url' && { type: 'path' }),
    model: formerModels[String(given.model)] ?? given.model,
  }
}
