import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'
import { compareText } from '../../../query/tables/buckets.ts'
import { customEvents, events, sessionData, sessionEvents } from '../../../query/tables/tables.ts'
import { literal } from '../../engine/literal.ts'
import { printable } from '../../told/printable.ts'
import { type Cells, cellsOf, inUtc, type Losses, madeId, propertyCells, type StoredProperty } from './cells.ts'
import { columnNames, type OriginTable } from './columns.ts'

/** A website, link or pixel, and the data that reports hide. */
export interface Visible {
  readonly id: string
  /** Milliseconds since 1970. Events before this moment are hidden. */
  readonly resetAt: number | null
  readonly deletedSessions: readonly string[]
}

/** From `since` (included) to `until` (excluded), in milliseconds since 1970. If both are undefined, everything. */
export interface Since {
  readonly since: number | undefined
  readonly until: number | undefined
}

/** Small blocks and the order of the tables keep memory use constant on both sides. */
const settings: ClickHouseSettings = {
  ...{ max_block_size: '8192', max_threads: 2, optimize_read_in_order: 1, optimize_aggregation_in_order: 1 },
  ...{ output_format_decimal_trailing_zeros: 1, output_format_json_quote_decimals: 1 },
  output_format_json_quote_denormals: 0,
  http_write_exception_in_output_format: 0,
  max_query_size: '1000000',
}

type Row = Readonly<Record<string, unknown>>

/**
 * The rows of a statement, in batches. Throws if the rows end too early, which the client's own stream would not
 * notice.
 */
async function* streamed(client: ClickHouseClient, select: string): AsyncGenerator<readonly Row[]> {
  const query = `${select} FORMAT JSONEachRow`
  const { stream } = await client.exec({ query, clickhouse_settings: settings })
  const decoder = new TextDecoder()
  let begun = ''
  for await (const bytes of stream as unknown as AsyncIterable<Uint8Array>) {
    const lines = (begun + decoder.decode(bytes, { stream: true })).split('\n')
    begun = lines.pop()!
    yield lines.map(rowIn)
  }
  if (begun !== '') rowIn(begun.slice(0, -1))
}

function rowIn(line: string): Row {
  try {
    return JSON.parse(line) as Row
  } catch {
    throw new Error(`ClickHouse stopped sending rows: ${printable(line.slice(0, 300))}`)
  }
}

const moment = (instant: number): string => `fromUnixTimestamp64Milli(toInt64(${instant}), 'UTC')`

function isVisible({ id, resetAt, deletedSessions }: Visible): string {
  const isKept = deletedSessions.length === 0 ? [] : [`session_id NOT IN (${deletedSessions.map(literal).join(', ')})`]
  const isAfter = resetAt === null ? [] : [`created_at >= ${moment(resetAt)}`]
  return [`website_id = toUUID(${literal(id)})`, ...isAfter, ...isKept].join(' AND ')
}

const isWithin = ({ since, until }: Since): string =>
  [
    '1',
    ...(since === undefined ? [] : [`created_at >= ${moment(since)}`]),
    ...(until === undefined ? [] : [`created_at < ${moment(until)}`]),
  ].join(' AND ')

const propertyColumns = ['key', 'data_type', 'string_value', 'number_value', 'date_value']
  .map((name) => `\`properties.${name}\``)
  .join(', ')

/** The attributes of a session, taken from its first event, as in Umami. */
const ofSession = columnNames('session').filter((name) => !/_id$|^created_at$/.test(name) || name === 'distinct_id')

const isFirst = '(event_type = 0, created_at, toString(event_id))'

const statements: Readonly<Record<OriginTable, (visible: string, within: string) => string>> = {
  website_event: (visible, within) =>
    `SELECT ${columnNames('website_event').join(', ')} FROM ${events.name}
     WHERE ${visible} AND ${within} ORDER BY created_at, event_id`,
  event_data: (visible, within) =>
    `SELECT website_id, event_id, created_at, ${propertyColumns} FROM ${customEvents.name}
     WHERE ${visible} AND ${within} AND notEmpty(\`properties.key\`) ORDER BY created_at, event_id`,
  session_data: (visible, within) =>
    `SELECT website_id, session_id, created_at, distinct_id, ${propertyColumns} FROM ${sessionData.name}
     WHERE ${visible} AND ${within} ORDER BY session_id, created_at`,
  session: (visible, within) =>
    `SELECT website_id, session_id, min(at) AS created_at, ${ofSession.map((name) => `argMin(${name}_, first) AS ${name}`).join(', ')}
     FROM (
       SELECT website_id, session_id, created_at AS at, ${within} AS is_within, ${isFirst} AS first,
         ${ofSession.map((name) => `${name} AS ${name}_`).join(', ')}
       FROM ${sessionEvents.name} WHERE ${visible})
     GROUP BY website_id, session_id HAVING max(is_within) = 1`,
}

/** The rows for one of Umami's tables, as Weir's reports see them, in batches. */
export async function* cellsFor(
  client: ClickHouseClient,
  table: OriginTable,
  website: Visible,
  since: Since,
  losses: Losses,
): AsyncGenerator<readonly Cells[]> {
  const pages = streamed(client, statements[table](isVisible(website), isWithin(since)))
  if (table === 'session_data') return yield* currentValues(pages, losses)
  let last: unknown
  for await (const rows of pages) {
    const once = rows.filter(({ event_id, session_id }) => {
      // Repeats of an event are adjacent.
      const isNew = last !== (event_id ?? session_id)
      last = event_id ?? session_id
      return isNew
    })
    yield table === 'event_data'
      ? once.flatMap((row) => eventData(row, losses))
      : once.map((row) => cellsOf(table, row, losses))
  }
}

function propertiesIn(row: Row): readonly StoredProperty[] {
  const column = (name: string) => row[`properties.${name}`] as readonly never[]
  const [types, texts, numbers, dates] = ['data_type', 'string_value', 'number_value', 'date_value'].map(column)
  return column('key').map((key, place) => ({
    ...{ key, type: Number(types![place]), text: texts![place]! },
    ...{ number: numbers![place]!, date: dates![place]! },
  }))
}

const eventData = (row: Row, losses: Losses): readonly Cells[] => {
  const [website_id, id] = [String(row.website_id), String(row.event_id)]
  const created_at = inUtc(String(row.created_at))
  return propertiesIn(row).map((property, place) => ({
    ...{
      event_data_id: madeId(website_id, id, property.key, String(place)),
      website_id,
      website_event_id: id,
      created_at,
    },
    ...propertyCells(property, losses),
  }))
}

/** A session property, and the identify call that set it. */
interface Said {
  readonly property: StoredProperty
  readonly row: Row
}

/**
 * Whether a value replaces an earlier one. If both have the same time, the greater type wins, then the greater text,
 * then the greater distinct id.
 */
function isCurrent({ property, row }: Said, known: Said | undefined): boolean {
  if (!known || known.row.created_at !== row.created_at) return true
  const { type, text } = known.property
  const order = property.type - type || compareText(property.text, text)
  return (order || compareText(String(row.distinct_id), String(known.row.distinct_id))) > 0
}

/** One row per session and key, with its current value, as in Umami. Rows arrive ordered by session and time. */
async function* currentValues(pages: AsyncIterable<readonly Row[]>, losses: Losses): AsyncGenerator<readonly Cells[]> {
  let session: unknown
  let values = new Map<string, Said>()
  const cells = () => [...values.values()].map((said) => sessionDataCells(said, losses))
  for await (const rows of pages) {
    const done: Cells[] = []
    for (const row of rows) {
      if (row.session_id !== session) {
        done.push(...cells())
        ;[session, values] = [row.session_id, new Map()]
      }
      for (const property of propertiesIn(row)) {
        const said = { property, row }
        if (isCurrent(said, values.get(property.key))) values.set(property.key, said)
      }
    }
    yield done
  }
  yield cells()
}

function sessionDataCells({ property, row }: Said, losses: Losses): Cells {
  const cells = cellsOf('session_data', row, losses)
  return {
    ...cells,
    session_data_id: madeId(String(row.website_id), String(row.session_id), property.key, String(row.created_at)),
    ...propertyCells(property, losses),
  }
}
