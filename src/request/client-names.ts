import { freeText, group, oneOf, type Parameter } from './query-string.ts'

/**
 * Parameter names that Umami's clients send in addition to the API's own names. They never widen an answer: each has no
 * effect, narrows the answer, or must agree with the rest of the request. Each is accepted only where its comment says;
 * any other unknown name is a 400.
 */

/**
 * Lists of segments. The dashboard spreads the context of its data library over the query string: the library itself,
 * the name of the query and the signal to abort it. They have nothing to do with segments.
 */
export const queryContext = group(
  {
    client: freeText('The data library of the caller.'),
    queryKey: freeText('The name of the query there.'),
    signal: freeText('The signal that aborts it.'),
  },
  () => ({}),
)

/**
 * Every path with these ids. The dashboard repeats the path's website, for example in requests for session properties;
 * the official client repeats every id in bodies. Both values must be equal, so the request stays unambiguous.
 */
export const repeatedIds: readonly string[] = ['websiteId']

/** The export of a website. Its buttons ask for JSON that holds the ZIP, which is the only format of that answer. */
export const zipInJson = group({ format: oneOf('The format of the answer.', ['json']) }, () => ({}))

/**
 * Journeys by POST, and saved journeys. The dashboard's form has three views; it sends `view`, and repeats it as
 * `eventType`. These are the event types of each view. An empty list means all of them.
 */
export const journeyViews = { all: [], views: [1], events: [2] } as const satisfies Record<string, readonly number[]>

/**
 * The properties of events. Clients that need one property also send its name to the list of properties, which then
 * contains only that property.
 */
export const onlyProperty = group({ propertyName: freeText('Only properties of exactly this name.') })

/**
 * Filters, and the types of metrics and values. Clients written before October 2025 use former names. Answers and
 * descriptions use the current names.
 */
export const formerFields: Readonly<Record<string, string>> = { url: 'path', host: 'hostname' }

/** The current name of a field. */
const currentName = (name: string): string => (Object.hasOwn(formerFields, name) ? formerFields[name]! : name)

/** A parameter that also accepts the former name of a field. */
export const byFormerName = <Value>(parameter: Parameter<Value>): Parameter<Value> => ({
  ...parameter,
  read: (text, refuse) => parameter.read(currentName(text), refuse),
})
