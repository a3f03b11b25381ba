import { dayLength, hourLength } from '../../request/time-zone.ts'
import type { AnswerFile } from './answer-file.ts'
import { arraysIn, type ClickHouseReader } from './clickhouse.ts'
import { behind, inOrder, isIn, listOf, type Order } from './clickhouse-conditions.ts'
import { eventColumns } from './event-rows.ts'
import type { Cursor, Section, SourceEvent, SourcePage, SourceRow, Span } from './source.ts'
import { instantOf } from './texts.ts'

/** The order in which events are read. Its first expressions are those of the key of Umami's table. */
const order: Order = [
  ['toStartOfHour(created_at)', "DateTime('UTC')"],
  ...(['website_id', 'session_id', 'visit_id'] as const).map((name) => [name, 'UUID'] as const),
  ['created_at', "DateTime('UTC')"],
  ['event_id', 'UUID'],
]

/**
 * The approximate and the maximum number of events that a statement reads. Each statement reads a column of all
 * properties of its websites, because Umami sorts them by event id. So few large statements cost less than many.
 */
const answers = { usual: 200_000, most: 300_000 }

/** How far the times of an event and its properties may differ, in milliseconds. */
const apart = dayLength

interface Reading {
  readonly reader: ClickHouseReader
  /** The columns in a SELECT, one for each of `eventColumns`. */
  readonly columns: readonly string[]
  /** The maximum number of events in a page. */
  readonly mostRows: number
  readonly answers?: typeof answers
}

/** Pages of a section of events. A cursor contains the values of the order's expressions. */
export async function* eventPages(
  reading: Reading,
  section: Section,
  after: Cursor | undefined,
): AsyncGenerator<SourcePage> {
  for await (const answer of oneAhead(answersTo(reading, section, after))) {
    for await (const events of inPages(arraysIn(answer), reading.mostRows)) {
      yield { events, rows: [], after: cursorOf(events.at(-1)!.values) }
    }
  }
}

/** The answers to the statements for a section. */
async function* answersTo(
  { reader, columns, answers: { usual, most } = answers }: Reading,
  section: Section,
  after: Cursor | undefined,
): AsyncGenerator<AnswerFile> {
  let cursor = after
  for (const span of spansOf(section, after, usual)) {
    for (let isWhole = false; !isWhole; ) {
      const answer = await reader.download(selectOf(section, span, { columns, most, cursor }))
      isWhole = answer.count < most
      if (!isWhole) cursor = cursorOf(JSON.parse(await answer.lastLine()))
      yield answer
    }
  }
}

/** Downloads the next answer while the caller uses one, and closes it if the caller stops before. */
async function* oneAhead(answers: AsyncGenerator<AnswerFile>): AsyncGenerator<AnswerFile> {
  const ask = () => {
    const asked = answers.next()
    asked.catch(() => {})
    return asked
  }
  let next = ask()
  try {
    for (let found = await next; !found.done; found = await next) {
      next = ask()
      yield found.value
    }
  } finally {
    const unused = await next.catch(() => undefined)
    await unused?.value?.close()
  }
}

/**
 * The section's span, split at full hours, without the parts before the cursor. For a section of rows with an
 * unacceptable time, yields undefined.
 */
function* spansOf({ rows, count }: Section, after: Cursor | undefined, usual: number): Generator<Span | undefined> {
  if ('outside' in rows) return yield undefined
  const { from, until } = rows.in
  const hours = Math.ceil((until - from) / hourLength)
  const step = hourLength * Math.max(1, Math.ceil(hours / Math.ceil(count / usual)))
  const begun = after === undefined ? from : instantOf(after[0]!)
  for (let start = Math.floor(from / hourLength) * hourLength; start < until; start += step) {
    if (start + step > begun) yield { from: Math.max(from, start), until: Math.min(until, start + step) }
  }
}

/** Selects events after the cursor, each with its properties as an array of arrays. */
function selectOf(
  { websiteIds, rows }: Section,
  span: Span | undefined,
  { columns, most, cursor }: Pick<Reading, 'columns'> & { readonly most: number; readonly cursor: Cursor | undefined },
): string {
  const websites = `website_id IN (${listOf(websiteIds)})`
  const conditions = [websites, span ? isIn(span) : 'outside' in rows ? `NOT (${isIn(rows.outside)})` : 'false']
  const events = `FROM website_event WHERE ${[...conditions, ...(cursor ? behind(order, cursor) : [])].join(' AND ')}`
  const near = span ? `AND ${isIn({ from: span.from - apart, until: span.until + apart })}` : ''
  const wanted = `${events} ${inOrder(order)} LIMIT ${most}`
  return `SELECT events.*, properties
    FROM (SELECT ${columns.join(', ')} ${wanted}) AS events
    LEFT JOIN (
      SELECT website_id, event_id, arraySort(groupArray([${propertyTexts.join(', ')}])) AS properties
      FROM event_data WHERE ${websites} ${near} AND event_id IN (SELECT event_id ${wanted})
      GROUP BY website_id, event_id
    ) AS data USING (website_id, event_id)
    ${inOrder(order)}`
}

/** The columns of a property as texts. If a key is repeated, its rows are sorted by these columns. */
const propertyColumns = ['data_key', 'created_at', 'data_type', 'string_value', 'number_value', 'date_value'] as const
type Texts = [string, string, string, string | null, string | null, string | null]
const propertyTexts = propertyColumns.map((name) => `toString(${name})`)

async function* inPages(
  answer: AsyncIterable<readonly (readonly unknown[])[]>,
  most: number,
): AsyncGenerator<readonly SourceEvent[]> {
  for await (const rows of answer) {
    for (let start = 0; start < rows.length; start += most) yield rows.slice(start, start + most).map(eventIn)
  }
}

const eventIn = (values: readonly unknown[]): SourceEvent => ({
  values,
  properties: (values[eventColumns.length] as Texts[]).map(propertyIn),
})

const propertyIn = ([data_key, , data_type, string_value, number_value, date_value]: Texts): SourceRow => ({
  data_key,
  data_type,
  string_value,
  number_value,
  date_value,
})

function cursorOf(values: readonly unknown[]): Cursor {
  const [website, session, visit, event, time] = values as string[]
  return [`${time!.slice(0, 13)}:00:00`, website!, session!, visit!, time!, event!]
}
