import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { packedEvent } from '../src/endpoints/events/events.ts'
import { pageView } from '../src/endpoints/examples.ts'
import { endpoints } from '../src/endpoints/index.ts'
import { compile } from '../src/query/language/sql.ts'
import { fieldColumns } from '../src/query/tables/columns.ts'
import { entryTables, type Table, tables } from '../src/query/tables/tables.ts'
import { clickhouse, ingest } from './support/weir.ts'

const named = tables.map((table) => [table.name, table] as const)

/** The event tables in the database. */
const stored = () =>
  clickhouse<{ name: string; engine: string; sorting: string }>(`
    SELECT name, engine, sorting_key AS sorting FROM system.tables
    WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name NOT IN ('migrations', 'heartbeats', 'seals')
      AND name NOT LIKE 'check%' ORDER BY name`)

const columnsOf = async (name: string): Promise<string[]> =>
  (
    await clickhouse<{ name: string }>(
      `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = '${name}'`,
    )
  ).map((column) => column.name)

const engineOf = ({ measure, hasExtremes }: Pick<Table, 'measure' | 'hasExtremes'>): string => {
  if (hasExtremes) return 'AggregatingMergeTree'
  return measure ? 'SummingMergeTree' : 'MergeTree'
}

const idColumns = ['event_id', 'visit_id', 'session_id']

/** The columns that a table needs for the filters in its catalogue entry. */
const neededBy = ({ fields, grain, hasTypes, hasIds, hasProperties, measure, lookUp = {} }: Table): string[] => [
  'website_id',
  ...[...fields].flatMap((field) => compile(fieldColumns[field]).query),
  grain === 'moment' ? 'created_at' : grain,
  ...(hasTypes ? ['event_type'] : []),
  ...(hasIds ? idColumns : []),
  ...(hasProperties ? ['properties.key', 'properties.value'] : []),
  ...(measure ? [measure] : []),
  ...Object.values(lookUp).map((column) => compile(column).query),
]

describe('the table catalogue', () => {
  it('lists every table that stores rows', async () => {
    expect(
      (await stored()).map(({ name }) => name),
      'List each table of sql/events in src/query/tables/tables.ts, and no other.',
    ).toEqual(tables.map(({ name }) => name).sort())
  })

  it.each(named)('lists only filters for which the columns of %s are sufficient', async (name, table) => {
    const there = await columnsOf(name)
    const lacking = neededBy(table).filter((column) => !there.includes(column))
    expect(lacking.map((column) => `${name} lacks the column ${column}: add it in a new file of sql/events.`)).toEqual(
      [],
    )
    if (!table.hasIds) expect(idColumns.every((id) => there.includes(id))).toBe(false)
    const { engine, sorting } = (await stored()).find((one) => one.name === name)!
    expect(engine).toBe(engineOf(table))
    expect(sorting.split(', ').slice(0, 1)).toEqual(['website_id'])
    const keys = Object.values(table.lookUp ?? {}).map((column) => compile(column).query)
    expect(sorting.split(', ').slice(1, 1 + keys.length)).toEqual(keys)
  })

  it.each(named)(
    'has a view that fills each column of %s that callers may filter by',
    async (name, { fields, from, isSealed }) => {
      if (isSealed) return expect(from).toEqual([])
      const filled = await Promise.all(from.map((source) => columnsOf(`${name}_from_${source}`)))
      const columns = [...fields].flatMap((field) => compile(fieldColumns[field]).query)
      const lacking = columns.filter((column) => !filled.flat().includes(column))
      expect(
        lacking.map((column) => `No view fills ${column} of ${name}: replace its view in a new file of sql/events.`),
      ).toEqual([])
    },
  )

  it('lists the views that fill each table', async () => {
    const views = await clickhouse<{ name: string }>(
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView' ORDER BY name",
    )
    const expected = tables.flatMap(({ name, from }) => from.map((source) => `${name}_from_${source}`))
    expect(
      views.map(({ name }) => name),
      '`from` in src/query/tables/tables.ts lists the sources of the views TABLE_from_SOURCE of sql/events.',
    ).toEqual(expected.sort())
  })

  it('lists each table after the tables that fill it', () => {
    const names = tables.map(({ name }) => name)
    for (const { name, from } of tables) {
      const sources = from.filter((source) => !entryTables.includes(source))
      expect(sources.every((source) => names.includes(source) && names.indexOf(source) < names.indexOf(name))).toBe(
        true,
      )
    }
  })

  it('matches the list in docs/storage.md', () => {
    const docs = readFileSync(new URL('../docs/storage.md', import.meta.url), 'utf8')
    const listed = [...docs.matchAll(/^\| `(\w+)` +\| (\w+)[^|]*\|[^|]*\|[^|]*\| ([^|]*?) +\|$/gm)].map(
      ([, ...cells]) => cells,
    )
    const expected = tables.map(({ from, ...table }) => [
      table.name,
      engineOf(table),
      table.isSealed
        ? '`weir seal`'
        : `${from.length > 1 ? 'views' : 'view'} of ${from.map((one) => `\`${one}\``).join(', ')}`,
    ])
    const others = [...entryTables, 'migrations', 'heartbeats', 'seals']
    expect(
      listed.filter(([name]) => !others.includes(name!)),
      'docs/storage.md has a row for each table, in the order of src/query/tables/tables.ts.',
    ).toEqual(expected)
  })

  it('stays within the budget of docs/storage.md: 19 tables, each needed by a report', () => {
    expect(tables.length).toBeLessThanOrEqual(19)
    const docs = readFileSync(new URL('../docs/storage.md', import.meta.url), 'utf8')
    const [budget] = /### The budget of tables.*?\n### /s.exec(docs)!
    const listed = [...budget.matchAll(/^\| `(\w+)` +\| [\d.]+ +\| [\d.]+ +\| (.+?) +\|$/gm)]
    expect(
      listed.map(([, name]) => name),
      'The budget in docs/storage.md has a row for each table: measure it with `npm run bench -- --only tables`.',
    ).toEqual(tables.map(({ name }) => name))
    const paths = endpoints.map(({ path }) => path)
    const named = listed.flatMap(([, , needing]) => [...needing!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!))
    expect(named.filter((path) => !paths.includes(`/api/websites/:websiteId/${path}`))).toEqual([])
  })

  it('stores a page view in at most five tables', async () => {
    const websiteId = randomUUID()
    await ingest([{ ...pageView, website_id: websiteId, event_id: randomUUID() } as object])
    const filled = await Promise.all(
      tables.map(async ({ name }) => {
        const [row] = await clickhouse<{ rows: number }>(
          `SELECT count() AS rows FROM ${name} WHERE website_id = '${websiteId}'`,
        )
        return row!.rows > 0 ? [name] : []
      }),
    )
    expect(filled.flat()).toContain('events')
    expect(
      filled.flat().length,
      `A page view fills ${filled.flat().join(', ')}: at most five are allowed.`,
    ).toBeLessThanOrEqual(5)
  })
})

describe('the packed event columns', () => {
  it('match the array in the table’s definition, in the same order', async () => {
    const [column] = await clickhouse<{ made: string }>(
      "SELECT default_expression AS made FROM system.columns WHERE database = currentDatabase() AND table = 'events' AND name = 'packed'",
    )
    const names = column!.made
      .replace(/^\[|\]$/g, '')
      .split(', ')
      .map((one) => one.replace(/^toString\((\w+)\)$/, '$1'))
    expect(packedEvent.names).toEqual(names)
  })
})
