import { dayLength } from '../../../request/time-zone.ts'
import { Refused } from '../../session/reason.ts'
import { Check } from '../check.tsx'
import { allSections, type Parameters, type Section, sections } from './sections.ts'

interface OpeningFieldsProps {
  readonly open: readonly Section[]
  /** The stored parameters, including settings that have no field. */
  readonly parameters: Parameters
}

/** The fields that choose what a share or a public website opens. */
export function OpeningFields({ open, parameters }: OpeningFieldsProps) {
  return (
    <>
      <fieldset class="choices-of-sections">
        <legend>Sections</legend>
        <p class="quiet">
          Readers of any section also see the name and the domain, the number of visitors of the last five minutes, the
          date of the first event, notes, and the names of segments and saved reports.
        </p>
        {allSections.map((section) => (
          <Check key={section} name={section} isOn={open.includes(section)}>
            {{ name: sections[section].name, shows: sections[section].shows.join(', ') }}
          </Check>
        ))}
      </fieldset>
      <fieldset class="choices-of-sections">
        <legend>Permissions</legend>
        <Check name="allowFilter" isOn={parameters.allowFilter !== false}>
          {{ name: 'Filter', shows: 'see the numbers of one country, page or browser' }}
        </Check>
        <Check name="allowExport" isOn={parameters.allowExport === true}>
          {{ name: 'Export', shows: 'download whole lists' }}
        </Check>
        <Check name="allowSessionProperties" isOn={parameters.allowSessionProperties === true}>
          {{ name: 'Properties of sessions', shows: 'what identify calls set for visitors; needs Sessions' }}
        </Check>
      </fieldset>
      <label class="field">
        Expires
        <input type="date" name="ends" min={earliestEnd(parameters)} max={latestEnd} defaultValue={endOf(parameters)} />
        <small class="quiet">If empty: never.</small>
      </label>
    </>
  )
}

/** The local date of a moment, such as 2026-11-24. */
function dateOf(moment: number): string {
  const at = new Date(moment)
  return new Date(moment - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

const endOf = ({ expiresAt }: Parameters): string =>
  typeof expiresAt === 'string' ? dateOf(Date.parse(expiresAt)) : ''

/** The earliest expiry date that can be chosen: tomorrow, or the stored date if that is earlier. */
const earliestEnd = (parameters: Parameters): string =>
  [dateOf(Date.now() + dayLength), endOf(parameters)].filter(Boolean).sort()[0]!

/** The origins whose pages may frame the share. */
export const framesOf = ({ frameAncestors }: Parameters): readonly string[] =>
  Array.isArray(frameAncestors) ? frameAncestors : []

/**
 * The non-empty lines of the field; undefined if there are none. If the form lacks the field, the stored lines.
 */
function framesIn(given: FormData, before: Parameters): readonly string[] | undefined {
  const text = given.get('frameAncestors')
  const all = typeof text === 'string' ? text.split('\n').map((line) => line.trim()) : framesOf(before)
  const named = all.filter((line) => line !== '')
  return named.length > 0 ? named : undefined
}

/**
 * The parameters in a form. Settings without a field, such as locked filters, stay as stored. An expiry keeps its time
 * of day unless its date is changed. Throws if no section is open.
 */
export function openingIn(given: FormData, before: Parameters): Parameters {
  if (!allSections.some((section) => given.has(section))) throw new Refused('Choose at least one section.')
  const flags = [...allSections, 'allowFilter', 'allowExport', 'allowSessionProperties']
  const ends = String(given.get('ends') ?? '')
  const { expiresAt: _, frameAncestors: __, ...kept } = before
  const frameAncestors = framesIn(given, before)
  return {
    ...kept,
    ...Object.fromEntries(flags.map((name) => [name, given.has(name)])),
    ...(frameAncestors && { frameAncestors }),
    ...(ends && { expiresAt: ends === endOf(before) ? before.expiresAt : endOfDay(ends) }),
  }
}

/** JavaScript cannot parse years with five digits. With this limit, the browser itself marks the field as invalid. */
const latestEnd = '9999-12-31'

/** The last moment of a local date, as ISO 8601. */
const endOfDay = (date: string): string => new Date(`${date}T23:59:59.999`).toISOString()
