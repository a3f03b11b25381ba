import { fields } from './fields.ts'
import { maxTextLength, type ParameterDoc } from './query-string.ts'

const operators =
  'A value may start with an operator: eq. neq. (comma-separated values; \\, is a comma inside a value), c. dnc. (contains, does not contain), re. nre. (matches an RE2 regular expression, does not match).'

/** The filter parameters in the OpenAPI document. */
export function filterDocs(shorthand: boolean): Record<string, ParameterDoc> {
  const texts = { type: 'array', items: { type: 'string', maxLength: maxTextLength } }
  const fieldDocs = Object.entries(fields).map(([name, description]) => [
    name,
    { description: `Filter. ${description} ${operators} May be repeated, also as ${name}1, ${name}2…`, schema: texts },
  ])
  return {
    ...Object.fromEntries(fieldDocs),
    eventType: {
      description:
        'Filter by kind of event: 1 page view, 2 custom event, 3 link, 4 pixel, 5 performance; or a list of kinds.',
      schema: { type: 'string', pattern: '^((eq|neq)\\.)?[1-5](,[1-5])*$', examples: ['2', 'neq.1,5'] },
    },
    excludeBounce: {
      description:
        'Leaves out bounces: visits with one page view and no custom event in the range. Any value except false and 0 turns it on.',
      schema: { type: 'string' },
    },
    match: {
      description: 'Whether all or any of the field filters must match.',
      schema: { type: 'string', enum: ['all', 'any'], default: 'all' },
    },
    segment: {
      description:
        'A saved segment. Its filters are added to the request and replace those with the same name. ' +
        'Its match, if any, replaces match.',
      schema: { type: 'string', format: 'uuid' },
    },
    cohort: {
      description:
        'A saved cohort. Keeps only events of its sessions, which are those with an event that is in the cohort’s ' +
        'date range, is the cohort’s action, and passes the cohort’s filters. Days are in timezone.',
      schema: { type: 'string', format: 'uuid' },
    },
    epf0: {
      description:
        'Property filter <dataType>.<operator>.<property>.<value>. Percent-encode the property. More filters: epf1, epf2… A share or a public website needs the section events for it.',
      schema: texts,
    },
    spf0: {
      description:
        'Filter by a current property of the session, in the form of epf0. Keeps only events of matching sessions. ' +
        'More filters: spf1, spf2… A share or a public website needs the section sessions and ' +
        'allowSessionProperties for it.',
      schema: texts,
    },
    filters: {
      description: 'The same filters as a JSON object; filters[browser]=… is accepted too.',
      schema: { type: 'string', contentMediaType: 'application/json' },
    },
    ...(shorthand && {
      'pf_{property}': {
        description: 'Property filter <dataType>.<operator>.<value>, or <operator>.<value> for a text.',
        schema: { type: 'string' },
      },
    }),
  }
}
