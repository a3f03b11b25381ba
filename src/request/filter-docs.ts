import { fields } from './fields.ts'
import { maxTextLength, type ParameterDoc } from './query-string.ts'

const operators =
  'A value may start with an operator: eq. neq. (a comma list; \\, is a comma inside a value), c. dnc. (contains, or not), re. nre. (RE2 regular expression, or not).'

/** The filter parameters of the OpenAPI document. */
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
      description: 'Keeps visits with more than one page view in the range. Any value except false and 0 turns it on.',
      schema: { type: 'string' },
    },
    match: {
      description: 'Whether all or any of the field filters must match.',
      schema: { type: 'string', enum: ['all', 'any'], default: 'all' },
    },
    segment: {
      description:
        'A saved segment. Its filters are added, and replace those of the same name; its match, if any, replaces match.',
      schema: { type: 'string', format: 'uuid' },
    },
    cohort: {
      description:
        'A saved cohort: only events of its sessions. A session belongs to it if one of its events, within the cohort’s own date range, is the action and passes the filters. Days are those of timezone.',
      schema: { type: 'string', format: 'uuid' },
    },
    epf0: {
      description:
        'Property filter <dataType>.<operator>.<property>.<value>; the property percent-encoded. Further ones: epf1, epf2…',
      schema: texts,
    },
    spf0: {
      description:
        'Filter by a current property of the session, in the form of epf0: keeps the events of sessions that have it. Further ones: spf1, spf2…',
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
