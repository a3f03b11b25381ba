import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { api } from '../../src/app.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { places, root } from '../../src/local/paths.ts'
import { tools } from '../../src/mcp/tools/index.ts'
import { metadata } from '../support/metadata.ts'
import { websiteOf } from '../support/people.ts'
import { soon } from '../support/soon.ts'
import { day } from '../support/website.ts'
import { read, running } from '../support/weir.ts'

const token = readFileSync(places(running.dataDir).metricsToken, 'utf8')

const scrape = (authorization?: string): Promise<Response> =>
  fetch(`${running.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } })

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The samples by metric name. Asserts that each line matches the format and each metric has a description. */
function samplesIn(text: string): Map<string, { type: string; samples: Sample[] }> {
  const metrics = new Map<string, { type: string; samples: Sample[] }>()
  let [name, type] = ['', '']
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-z_0-9]+) \S.*\.$/.exec(line)
    if (help) {
      name = help[1]!
      expect(metrics.has(name)).toBe(false)
      continue
    }
    const typed = /^# TYPE ([a-z_0-9]+) (counter|gauge|histogram)$/.exec(line)
    if (typed) {
      expect(typed[1]).toBe(name)
      type = typed[2]!
      metrics.set(name, { type, samples: [] })
      continue
    }
    const [, of = '', labels = '', value = ''] =
      /^([a-z_0-9]+)(?:\{((?:[a-z]+="[^"\\\n]*",?)+)\})? (\d+(?:\.\d+)?)$/.exec(line) ?? []
    expect(of.replace(type === 'histogram' ? /_(bucket|sum|count)$/ : /$^/, ''), line).toBe(name)
    const pairs = [...labels.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!])
    metrics.get(name)!.samples.push({ name: of, labels: Object.fromEntries(pairs), value: Number(value) })
  }
  return metrics
}

describe('GET /metrics', () => {
  it('is open only with its token, and does not exist if no token is configured', async () => {
    for (const given of [undefined, 'Bearer x', `Bearer ${token}x`, `Bearer ${running.adminKey}`, token]) {
      const { status, headers } = await scrape(given)
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="Weir"'])
    }
    const env = { METADATA: metadata, CLICKHOUSE_URL: running.clickhouse }
    const headers = { authorization: `Bearer ${token}` }
    expect((await api().request('http://weir/metrics', { headers }, env)).status).toBe(404)
  })

  it('counts requests, answers, statements and round trips, in Prometheus’s text format', async () => {
    const websiteId = await websiteOf()
    await read(websiteId, 'events', day)
    const text = await soon(async () => {
      const answer = await scrape(`Bearer ${token}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ])
      const text = await answer.text()
      // On a busy machine, ClickHouse may be too late with its own figures.
      expect(text).toContain('weir_clickhouse_uptime_seconds{')
      return text
    })
    const metrics = samplesIn(text)
    expect(Object.fromEntries([...metrics].map(([name, { type }]) => [name, type]))).toEqual({
      http_requests_total: 'counter',
      http_request_duration_seconds: 'histogram',
      weir_report_answers_total: 'counter',
      weir_clickhouse_statements_total: 'counter',
      weir_clickhouse_tries_total: 'counter',
      weir_clickhouse_statement_duration_seconds: 'histogram',
      weir_clickhouse_read_rows_total: 'counter',
      weir_clickhouse_read_bytes_total: 'counter',
      weir_line_wait_duration_seconds: 'histogram',
      weir_d1_round_trip_duration_seconds: 'histogram',
      weir_clickhouse_replica_up: 'gauge',
      weir_clickhouse_as_of_timestamp_seconds: 'gauge',
      weir_clickhouse_uptime_seconds: 'gauge',
      weir_clickhouse_free_disk_bytes: 'gauge',
      weir_clickhouse_broken_parts: 'gauge',
      weir_clickhouse_unsealed_days: 'gauge',
      weir_start_timestamp_seconds: 'gauge',
      weir_purge_timestamp_seconds: 'gauge',
      weir_collect_up: 'gauge',
      weir_collect_rows: 'gauge',
      weir_collect_bytes: 'gauge',
      weir_collect_oldest_seconds: 'gauge',
      weir_collect_accepted_total: 'counter',
      weir_collect_repeats_total: 'counter',
      weir_collect_unknown_total: 'counter',
      weir_collect_full_total: 'counter',
      weir_collect_old_rows: 'gauge',
      weir_collect_ignored_total: 'counter',
      weir_collect_set_aside_total: 'counter',
      weir_collect_flushes_total: 'counter',
      weir_collect_failed_flushes_total: 'counter',
      weir_collect_flush_seconds_total: 'counter',
      weir_collect_written_rows_total: 'counter',
      weir_collect_bots_total: 'counter',
      weir_collect_warnings_total: 'counter',
      weir_record_up: 'gauge',
      weir_record_rows: 'gauge',
      weir_record_bytes: 'gauge',
      weir_record_oldest_seconds: 'gauge',
      weir_record_chunks_total: 'counter',
      weir_record_heatmap_events_total: 'counter',
      weir_record_repeats_total: 'counter',
      weir_record_full_visits_total: 'counter',
      weir_record_full_days_total: 'counter',
      weir_record_full_total: 'counter',
      weir_record_fragments_total: 'counter',
      weir_record_refused_total: 'counter',
      weir_record_failed_flushes_total: 'counter',
      weir_info: 'gauge',
    })
    const alerts = readFileSync(`${root}/docs/alerts.yaml`, 'utf8')
    const alerting = [...alerts.matchAll(/\b(?:http|weir)_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''))
    expect(alerting.length).toBeGreaterThan(15)
    expect(alerting.filter((name) => !metrics.has(name))).toEqual([])
    const sampleOf = (name: string, labels: object) =>
      metrics.get(name)!.samples.find((one) => JSON.stringify(one.labels) === JSON.stringify(labels))?.value
    expect(sampleOf('http_requests_total', { endpoint: 'getWebsiteEvents', status: '200' })).toBeGreaterThan(0)
    expect(sampleOf('http_requests_total', { endpoint: 'metrics', status: '401' })).toBeGreaterThan(0)
    expect(sampleOf('weir_clickhouse_statements_total', { outcome: 'answered' })).toBeGreaterThan(0)
    expect(sampleOf('weir_clickhouse_tries_total', {})).toBeGreaterThan(0)
    for (const cache of ['HIT', 'MISS', 'UPDATING', 'STALE']) {
      expect(sampleOf('weir_report_answers_total', { cache })).toBeGreaterThanOrEqual(0)
    }
    expect(metrics.get('weir_line_wait_duration_seconds')!.samples.at(-1)!.value).toBeGreaterThan(0)
    const replica = { replica: 'clickhouse' }
    expect(sampleOf('weir_clickhouse_replica_up', replica)).toBe(1)
    expect(sampleOf('weir_clickhouse_uptime_seconds', replica)).toBeGreaterThan(0)
    expect(sampleOf('weir_clickhouse_free_disk_bytes', replica)).toBeGreaterThan(1_000_000)
    expect(sampleOf('weir_clickhouse_broken_parts', replica)).toBe(0)
    expect(sampleOf('weir_start_timestamp_seconds', {})).toBeGreaterThan(Date.now() / 1000 - 86_400)
    for (const { type, samples } of metrics.values()) {
      if (type !== 'histogram') continue
      const seriesOf = ({ labels: { le: _, ...labels } }: Sample) => JSON.stringify(labels)
      for (const name of new Set(samples.map(seriesOf))) {
        const series = samples.filter((one) => seriesOf(one) === name)
        const buckets = series.filter(({ name }) => name.endsWith('_bucket'))
        const counts = buckets.map(({ value }) => value)
        expect(counts).toEqual(counts.toSorted((one, other) => one - other))
        expect(buckets.at(-1)).toMatchObject({ labels: { le: '+Inf' }, value: series.at(-1)!.value })
        expect(series.slice(-2).map(({ name }) => name.split('_').at(-1))).toEqual(['sum', 'count'])
      }
    }
  })

  it('has no labels with an unbounded number of values', async () => {
    await fetch(`${running.url}/api/websites/${await websiteOf()}/nowhere?x=1`)
    const all = [...samplesIn(await (await scrape(`Bearer ${token}`)).text()).values()].flatMap(
      ({ samples }) => samples,
    )
    const known = new Set([
      ...endpoints.map(({ name }) => name),
      ...tools.map(({ name }) => `mcp.${name}`),
      ...['mcp', 'openapi', 'send', 'batch', 'record', 'metrics', 'link', 'pixel', 'page', 'badge', 'tracker'],
      ...['recorder', 'oidcReturn', 'unknown'],
    ])
    expect(all.flatMap(({ labels }) => labels.endpoint ?? []).filter((name) => !known.has(name))).toEqual([])
    const keys = new Set(all.flatMap(({ labels }) => Object.keys(labels)))
    expect([...keys].sort()).toEqual(
      ['cache', 'endpoint', 'le', 'log', 'outcome', 'replica', 'status', 'version', 'website'].filter((key) =>
        keys.has(key),
      ),
    )
  })
})
