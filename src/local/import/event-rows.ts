import { textLengths } from '../../collect/payload.ts'
import { clickIds } from '../../collect/row.ts'
import { type EntryLine, keyOf } from './entry-lines.ts'
import { idIn, timeIn, Unusable } from './made-rows.ts'
import type { FirstSessions, SourceEvent, SourceRow } from './source.ts'
import { columnsOfProperties, propertiesOf } from './source-properties.ts'
import { visitIn } from './split-visits.ts'
import { cutText } from './texts.ts'

const campaigns = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const

/** Columns whose values older events have only in their query string. */
const marks = [...campaigns, ...clickIds] as const

const longestMark = 255

/** The texts of an event, with the maximum number of characters for each. */
const lengths = {
  event_name: textLengths.name,
  hostname: textLengths.hostname,
  browser: textLengths.browser,
  os: textLengths.os,
  device: textLengths.device,
  screen: textLengths.screen,
  language: textLengths.language,
  country: 255,
  region: textLengths.region,
  city: textLengths.city,
  url_path: 500,
  url_query: 500,
  referrer_path: 500,
  referrer_query: 500,
  referrer_domain: 500,
  page_title: 500,
  tag: textLengths.tag,
  distinct_id: textLengths.id,
} as const

/** The figures of web vitals. */
const figures = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

const eventIds = ['website_id', 'session_id', 'visit_id', 'event_id'] as const

const leading = [...eventIds, 'created_at', 'event_type'] as const
const names = Object.keys(lengths) as (keyof typeof lengths)[]

/** The event columns to read from a source, named as in `ingest`. */
export const eventColumns = [...leading, ...names, ...marks, ...figures] as const

/** The texts in the order of the columns, with the beginning of each in a line of JSON. */
const texts = [
  ...names.map((name) => ({ name, longest: lengths[name] })),
  ...marks.map((name) => ({ name, longest: longestMark })),
].map((text) => ({ ...text, begin: `,"${text.name}":` }))

const placeOf = (name: (typeof eventColumns)[number]): number => eventColumns.indexOf(name)

const [firstText, firstMark, firstFigure] = [placeOf(names[0]!), placeOf(marks[0]), placeOf(figures[0])]
const queryPlace = placeOf('url_query')

/** An event from a row with named columns. */
export const eventOf = (row: SourceRow, properties: readonly SourceRow[]): SourceEvent => ({
  values: eventColumns.map((name) => row[name]),
  properties,
})

/** The columns of an event that are not empty, by name. */
export const rowOfEvent = ({ values }: SourceEvent): SourceRow =>
  Object.fromEntries(
    eventColumns.flatMap((name, place) => (textOf(values[place]) ? [[name, textOf(values[place])]] : [])),
  )

/**
 * The line for `ingest`. Throws an `Unusable` with the reason if the event cannot be imported. Building an object and
 * converting it to JSON would take more than twice as long.
 */
export function eventLine({ values, properties }: SourceEvent, first: FirstSessions, now: number): EntryLine {
  const websiteId = idIn('website_id', values[0])
  const sessionId = idIn('session_id', values[1])
  const visitId = visitIn(first, idIn('visit_id', values[2]), sessionId)
  const eventId = idIn('event_id', values[3])
  const time = timeIn(textOf(values[eventIds.length]), now)
  const line =
    `{"website_id":"${websiteId}","session_id":"${sessionId}","visit_id":"${visitId}","event_id":"${eventId}"` +
    `,"created_at":"${time}","event_type":${typeOf(values)}${textsIn(values)}${figuresIn(values)}`
  const more =
    properties.length === 0 ? '}' : `,${JSON.stringify(columnsOfProperties(propertiesOf(properties))).slice(1)}`
  return { line: line + more, websiteId, time, keys: [keyOf(websiteId, [eventId])] }
}

type Values = SourceEvent['values']

const textOf = (value: unknown): string => (typeof value === 'string' ? value : value == null ? '' : String(value))

function typeOf(values: Values): number {
  const given = values[eventIds.length + 1]
  const type = Number(given || Number.NaN)
  if (type >= 1 && type <= 5 && Number.isInteger(type)) return type
  throw new Unusable(`event_type ${given ?? 'NULL'} is not known to Weir`)
}

/** The texts that are not empty. Missing campaign values and click ids are read from the query string. */
function textsIn(values: Values): string {
  let written = ''
  let isMarked = false
  for (let place = firstText; place < firstFigure; place++) {
    const value = textOf(values[place])
    if (value === '') continue
    const { name, begin, longest } = texts[place - firstText]!
    const text = cutText(value, longest)
    written += begin + jsonOf(name === 'country' ? text.trimEnd() : text)
    if (place >= firstMark) isMarked = true
  }
  const query = textOf(values[queryPlace])
  return isMarked || !mayBeMarked.test(query) ? written : written + marksIn(query)
}

/** Names in a query may be percent-encoded. */
const mayBeMarked = /utm_|clid|fat_id|%/

function marksIn(query: string): string {
  const found = new URLSearchParams(query)
  const written = marks.map((name) => {
    const text = cutText(found.get(name), longestMark)
    return text === '' ? '' : `,"${name}":${jsonOf(text)}`
  })
  return written.join('')
}

/** A text that JSON does not escape. */
const plain = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

const jsonOf = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

function figuresIn(values: Values): string {
  let written = ''
  for (let place = firstFigure; place < eventColumns.length; place++) {
    const given = values[place]
    if (given && Number.isFinite(Number(given))) written += `,"${eventColumns[place]}":${Number(given)}`
  }
  return written
}
