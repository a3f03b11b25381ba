import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { preferredFormat } from '../../src/serve/export/accept.ts'
import { oracleName } from '../facts/oracle-of.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import { ask, csv, escapedCsv, ndjson, parquet, rawCsv } from '../support/exports.ts'
import { inTurn } from '../support/long.ts'
import { eventId, eventName, listReports, pagedReports, rangeReports } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { day, websiteWith } from '../support/website.ts'
import { clickhouse, newWebsite, pathOf, running } from '../support/weir.ts'

const json = 'application/json'
const lists = [...pagedReports, ...listReports]

describe('Accept', () => {
  const chosen = (accept: string): string => preferredFormat(accept)?.format.type ?? json

  it.each([
    ['', json],
    ['*/*', json],
    [json, json],
    ['application/json, text/plain, */*', json],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', json],
    ['text/html', json],
    ['text/*', json],
    ['application/*', json],
    ['application/xml', json],
    ['text/csv;q=0', json],
    ['text/csv;q=x', json],
    ['application/json, text/csv', json],
    ['text/csv, application/json', json],
    ['text/csv;q=0.5, */*', json],
    ['text/csv;q=0.5, application/*;q=0.6', json],
    ['text/csvx, x-text/csv', json],
    [ndjson, ndjson],
    [csv, csv],
    [parquet, parquet],
    ['Text/CSV', csv],
    ['text/csv; header=present; charset=utf-8', csv],
    [' text/csv ; q=1.0 , */* ; q=0.1', csv],
    ['text/csv, */*', csv],
    ['text/csv;q=0.2', csv],
    ['text/csv;q=0.2, application/json;q=0.1', csv],
    ['text/csv, application/json;q=0.9', csv],
    ['text/csv, application/json;q=0', csv],
    ['text/csv;q=0.3, application/json;q=0, */*', csv],
    ['text/csv;q=0.9, application/x-ndjson', ndjson],
    ['application/x-ndjson;q=0.9, text/csv', csv],
    ['text/csv, application/x-ndjson', csv],
  ])('%s is answered with %s', (accept, format) => {
    expect(chosen(accept)).toBe(format)
  })

  it.each([
    ['text/csv; escape=formulas', 'formulas'],
    ['Text/CSV;header=present;Escape=None;q=0.5', 'none'],
    ['text/csv;q=0.5, text/csv; escape=none', 'none'],
    ['text/csv, text/csv; escape=none; q=0.5', 'formulas'],
    ['text/csv; charset=utf-8', 'formulas'],
  ])('%s determines whether formulas are escaped; by default, they are', (accept, escaping) => {
    expect(preferredFormat(accept)?.format.contentType).toBe(
      `text/csv; charset=utf-8; header=present; escape=${escaping}`,
    )
  })

  it.each(['text/csv; escape=formula', 'text/csv; escape=', `${ndjson}; escape=formulas`, `${ndjson}; escape=none`])(
    '%s is an unknown format',
    (accept) => {
      expect(chosen(accept)).toBe(json)
      expect(chosen(`${accept}, text/csv`)).toBe(csv)
    },
  )

  it('is parsed without an error, whatever it contains', () => {
    const part = fc.constantFrom(
      'text/csv',
      '*/*',
      json,
      ...[';q=', ';escape=', 'formulas', '0.5', ',', ';', '=', ' ', '"'],
      '\\',
      'q',
      '/',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect([json, csv]).toContain(chosen(parts.join('')))
      }),
    )
  })
})

describe('a list', () => {
  let websiteId: string
  beforeAll(async () => {
    websiteId = await websiteWith(event({ event_name: eventName }, [string('plan', 'pro')]))
  })

  it.each(lists)('is JSON unless another format is requested, and has a Vary header: $name', async (report) => {
    const path = pathTo(report, { websiteId })
    const asked = ['*/*', json, 'text/html', 'text/*', 'application/json, text/csv;q=0.9']
    for (const accept of inTurn(asked, lists.indexOf(report), 3)) {
      const answer = await ask(path, accept)
      const { headers, status } = answer
      expect([accept, status, headers.get('content-type'), headers.get('vary')]).toEqual([accept, 200, json, 'Accept'])
      expect(headers.get('content-disposition')).toBeNull()
      await answer.text()
    }
  })

  it.each(lists)('is a download in every other format, for GET and HEAD: $name', async (report) => {
    const path = pathTo(report, { websiteId })
    const name = `${oracleName(report).replace('/', '-')}_2025-10-15_2025-10-15`
    for (const [accept, type, extension, rows] of [
      [ndjson, 'application/x-ndjson; charset=utf-8', 'ndjson', null],
      [csv, 'text/csv; charset=utf-8; header=present; escape=formulas', 'csv', null],
      [rawCsv, 'text/csv; charset=utf-8; header=present; escape=none', 'csv', null],
      [escapedCsv, 'text/csv; charset=utf-8; header=present; escape=formulas', 'csv', null],
      [parquet, parquet, 'parquet', '1000000'],
    ] as const) {
      const headers = { authorization: `Bearer ${running.adminKey}`, accept }
      for (const method of inTurn(['GET', 'HEAD'], lists.indexOf(report) + type.length + accept.length, 2)) {
        const answer = await fetch(running.url + path, { method, headers })
        expect({ status: answer.status, ...Object.fromEntries(answer.headers) }).toMatchObject({
          status: 200,
          'content-type': type,
          'content-disposition': `attachment; filename="${name}.${extension}"`,
          'cache-control': expect.stringMatching('private'),
          'ratelimit-policy': expect.stringContaining('key'),
          vary: 'Accept',
        })
        expect([answer.headers.get('x-max-rows'), answer.headers.get('x-cache')]).toEqual([rows, null])
        expect((await answer.arrayBuffer()).byteLength > 0).toBe(method === 'GET')
      }
    }
  })

  it.each(pagedReports)('accepts no page numbers for an export: $name', async (report) => {
    for (const query of [{ page: 2 }, { pageSize: 10 }]) {
      const answer = await ask(pathTo(report, { websiteId }, query as Record<string, number>), csv)
      expect([answer.status, ((await answer.json()) as { error: object }).error]).toMatchObject([
        400,
        { code: 'bad-request', issues: [{ path: Object.keys(query)[0], message: expect.stringContaining('cursor') }] },
      ])
    }
  })
})

it.each(rangeReports.filter((report) => !lists.includes(report)))(
  'an answer that is not a list is available only as JSON: $name',
  async (report) => {
    const path = pathTo(report, { websiteId: await newWebsite(), eventId })
    for (const accept of inTurn([ndjson, csv, parquet], rangeReports.indexOf(report), 3)) {
      const answer = await ask(path, accept)
      expect([answer.status, ((await answer.json()) as { error: object }).error]).toMatchObject([
        406,
        { code: 'not-acceptable', status: 406 },
      ])
      expect((await ask(path, `${accept}, */*;q=0.1`)).headers.get('content-type')).toBe(json)
    }
  },
)

describe('Parquet', () => {
  it('contains the list’s rows', async () => {
    const websiteId = await websiteWith(
      event({ event_name: eventName, page_title: 'a "b"\n😀', url_query: 'x=1' }, [string('plan', 'pro')]),
    )
    const file = await (await ask(pathOf(`/api/websites/${websiteId}/events`, day), parquet)).arrayBuffer()
    const table = `parquet_${Date.now()}`
    await clickhouse(`create table ${table} (id String, createdAt String, pageTitle String, urlQuery String, eventType UInt8, cursor String)
      engine = Memory`)
    const insert = encodeURIComponent(`insert into ${table} format Parquet`)
    const settings = 'input_format_skip_unknown_fields=1'
    const sent = await fetch(`${running.clickhouse}&query=${insert}&${settings}`, { method: 'POST', body: file })
    expect([sent.status, await sent.text()]).toEqual([200, ''])
    const [row] = await clickhouse(`select * from ${table}`)
    expect(row).toEqual({
      ...{ id: id(1), createdAt: '2025-10-15T12:00:00Z', pageTitle: 'a "b"\n😀' },
      urlQuery: 'x=1',
      eventType: 2,
      cursor: expect.stringMatching(/^[\w-]+$/),
    })
    await clickhouse(`drop table ${table}`)
  })
})
