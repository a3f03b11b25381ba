import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { answerOf } from '../facts/oracle-of.ts'
import { marked } from '../oracle/generate-marks.ts'
import { peopled } from '../oracle/generate-people.ts'
import { worlds } from '../oracle/generate-world.ts'
import { columnInstant } from '../oracle/instants.ts'
import { type IngestRow, isView, type Report } from '../oracle/model.ts'
import { bouncesAmong } from '../oracle/visits.ts'
import { weir } from '../support/commands.ts'
import { startPostgres } from '../support/postgres.ts'
import { newWebsite, running } from '../support/weir.ts'
import { relocated } from '../support/worlds.ts'
import { imported, newState } from './moving.ts'
import { heldBy, type Moved, websiteRows, writeOrigin } from './origin.ts'
import { insertInto, makeTables } from './tables.ts'

const postgres = await startPostgres()

/** In 3.1, a visit with a single view is a bounce, whatever custom events it has. */
function bouncesOf(rows: readonly IngestRow[], websiteId: string, query: URLSearchParams): number {
  const isAsked = ({ website_id, created_at }: IngestRow) =>
    website_id === websiteId &&
    columnInstant(created_at) >= Number(query.get('startAt')) &&
    columnInstant(created_at) <= Number(query.get('endAt'))
  return bouncesAmong(rows.filter((row) => isView(row) && isAsked(row))).size
}

/**
 * A stand-in for Umami 3.1. It returns what the oracle computes from the events in its tables, but with Umami's
 * bounces. It has no POST reports.
 */
async function standIn({ rows, records }: Moved): Promise<string> {
  const answerTo = (url: URL): unknown => {
    const { pathname, searchParams } = url
    if (pathname === '/api/config') return { currentVersion: '3.1.0' }
    const [, websiteId, report] = /^\/api\/websites\/([^/]+)\/?(.*)$/.exec(pathname) ?? []
    if (websiteId === undefined) return undefined
    if (report === '') return { id: websiteId }
    const request = { endpoint: report as Report, websiteId, query: [...searchParams], records }
    const { body } = answerOf(rows, request as never)
    return report === 'stats' ? { ...(body as object), bounces: bouncesOf(rows, websiteId, searchParams) } : body
  }
  const server = createServer((request, response) => {
    const body = answerTo(new URL(request.url!, 'http://umami.example'))
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('after an import, a comparison finds only differences that a known habit of Umami explains', async () => {
  const among = peopled(marked(worlds)).filter(({ rows }) => rows.length > 60)
  const [world] = fc.sample(among, { seed: 53, numRuns: 1 })
  const { rows, records, idOf } = relocated(world!)
  const websiteIds = world!.websiteIds.map(idOf)
  const held = heldBy('3.1', rows, records)
  const { client, url } = await postgres.database()
  await makeTables(client, '3.1')
  await insertInto(client, 'website', websiteRows(websiteIds))
  await writeOrigin(client, held)
  await Promise.all(websiteIds.map((id) => newWebsite(id)))
  await imported(url, '--state', newState())
  const [since, until] = [world!.window.start, world!.window.end + 1].map((moment) => new Date(moment).toISOString())
  const env = { PUBLIC_URL: running.url, WEIR_KEY: running.adminKey, UMAMI_KEY: 'x' }
  const compare = async (other: Moved, ...websites: readonly string[]) => {
    const words = ['--url', await standIn(other), '--since', since!, '--until', until!]
    return weir(['compare', 'umami', ...words, ...websites.flatMap((id) => ['--website', id])], { env })
  }
  const { code, stdout } = await compare(held, ...websiteIds)
  expect([code, stdout]).toEqual([0, expect.stringContaining('metrics path')])
  expect(stdout).toContain('statistics: Before 3.3, a visit with a custom event is a bounce.')
  // This shows that a lost event would be reported.
  const lost = { ...held.rows.find(isView)!, event_id: randomUUID() }
  const other = await compare({ ...held, rows: [...held.rows, lost] }, lost.website_id)
  expect([other.code, other.stdout]).toEqual([
    1,
    expect.stringMatching(/statistics, .* pageviews \d+ here, \d+ in Umami/),
  ])
})
