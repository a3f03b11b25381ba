import { freeText, group, oneOf, type Parameter } from './query-string.ts'

/**
 * Parameter names that Umami's clients send in addition to the API's own names. They never make an answer contain more:
 * each has no effect, restricts the answer, or must agree with the rest of the request. Each is accepted only where its
 * comment says; all other unknown names are refused with a 400.
 */

/**
 * For lists of segments. The dashboard puts the context of its data-fetching library into the query string: the library
 * itself, the name of the query and the signal that aborts it. None of these affects segments.
 */
export const queryContext = group(
  {
    client: freeText("The caller's data-fetching library."),
    queryKey: freeText('The name of the query in that library.'),
    signal: freeText('The signal that aborts the query.'),
  },
  () => ({}),
)

/**
 * For every path with these ids. The dashboard repeats the website in the path, for example in requests for session
 * properties; the official client repeats every id in bodies. Both values must be equal, so that the request is
 * unambiguous.
 */
export const repeatedIds: readonly string[] = ['websiteId']

/**
 * For the export of a website. Its buttons request JSON that contains the ZIP, which is the only format of that answer.
 */
export const zipInJson = group({ format: oneOf('The format of the answer.', ['json']) }, () => ({}))

/**
 * For journeys by POST and for saved journeys. The dashboard's form has three views; it sends `view` and repeats it as
 * `eventType`. These are the event types for each view. An empty list means all of them.
 */
export const journeyViews = { all: [], views: [1], events: [2] } as const satisfies Record<string, readonly number[]>

/**
 * For event properties. Clients that need one property also send its name when they list the properties, and then
 * receive only that property.
 */
export const onlyProperty = group({ propertyName: freeText('Only properties of exactly this name.') })

/**
 * For filters, and for the types of metrics and values. Clients written before October 2025 use the former names.
 * Answers and descriptions use the current names.
 */
export const formerFields: Readonly<Record<string, string>> = { url: 'path', host: 'hostname' }

/** The current name of a field. */
const currentName = (name: string): string => (Object.hasOwn(formerFields, name) ? formerFields[name]! : name)

/** A parameter that also accepts the former name of a field. */
export const byFormerName = <Value>(parameter: Parameter<Value>): Parameter<Value> => ({
  ...parameter,
  read: (text, refuse) => parameter.read(currentName(text), refuse),
})
