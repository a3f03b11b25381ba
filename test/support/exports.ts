import { expect } from 'vitest'
import { pathOf, running } from './weir.ts'

export const ndjson = 'application/x-ndjson'
export const csv = 'text/csv'
export const escapedCsv = 'text/csv; escape=formulas'
export const rawCsv = 'text/csv; escape=none'
export const parquet = 'application/vnd.apache.parquet'

export type Row = Readonly<Record<string, unknown>>
type Query = Parameters<typeof pathOf>[1]
type Headers = Readonly<Record<string, string>>

export const admin: Headers = { authorization: `Bearer ${running.adminKey}` }

/** Requests a path in another format. `path` may already have a query string. */
export const ask = (path: string, accept: string, headers: Headers = admin, url = running.url): Promise<Response> =>
  fetch(url + path, { headers: { ...headers, accept } })

/** The rows of a complete NDJSON export. */
export async function rowsOf(path: string, query: Query = {}, headers: Headers = admin): Promise<Row[]> {
  const answer = await ask(pathOf(path, query), ndjson, headers)
  const text = await answer.text()
  expect({ status: answer.status, text: answer.ok ? '' : text }).toEqual({ status: 200, text: '' })
  return linesOf(text)
}

/** Parses each line. The last line must end with a line break, too. */
export function linesOf(text: string): Row[] {
  const lines = text.split('\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) => JSON.parse(line) as Row)
}

/** Parses CSV (RFC 4180) as ClickHouse writes it, with a header of column names, quoted texts, and LF line ends. */
export function recordsOf(text: string): Record<string, string>[] {
  const [names = [], ...records] = fieldsOf(text)
  return records.map((fields) => {
    expect(fields).toHaveLength(names.length)
    return Object.fromEntries(names.map((name, index) => [name, fields[index]!]))
  })
}

function fieldsOf(text: string): string[][] {
  const records: string[][] = []
  let record: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",\n]*))([,\n])/gy
  while (field.lastIndex < text.length) {
    const at = field.lastIndex
    const found = field.exec(text)
    if (!found) throw new Error(`No field of CSV at ${at}: ${text.slice(at, at + 40)}`)
    const [, quoted, plain, end] = found
    record.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'))
    if (end === '\n') records.push(record)
    if (end === '\n') record = []
  }
  expect(record).toEqual([])
  return records
}

/** Turns a JSON row into its CSV record, in which every value is text, and lists and objects are JSON. */
export const asRecord = (row: Row): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'object' ? value : String(value)]),
  )

/** Parses a record's fields as JSON where the row has a list, or a null for an empty field where it has a null. */
export const readAs = (row: Row, record: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, text]) => [
      name,
      row[name] === null && text === '' ? null : typeof row[name] === 'object' ? JSON.parse(text) : text,
    ]),
  )

export const withoutCursor = ({ cursor: _, ...item }: Row): Row => item
