import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { afterAll, describe, expect, it } from 'vitest'
import { identityOf } from '../../src/local/import/export-file.ts'
import { event, number, string } from '../oracle/fixtures.ts'
import { weir } from '../support/commands.ts'
import { clickhouse } from '../support/weir.ts'
import { imported, newState, refusedIn, storedIds } from './moving.ts'
import { csv, eventHeader, zipped } from './zipped.ts'

const folder = mkdtempSync(join(tmpdir(), 'weir-zips-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(bytes: Uint8Array): string {
  const file = join(folder, `${randomUUID()}.zip`)
  writeFileSync(file, bytes)
  return file
}

const zipOf = (header: readonly string[], rows: readonly object[]): string =>
  written(zipSync({ 'website_event.csv': new TextEncoder().encode(csv(header, rows)) }))

const row = (website_id: string, changes: object = {}) => ({
  ...event({ website_id, event_id: randomUUID(), session_id: randomUUID(), visit_id: randomUUID(), event_type: 1 }),
  ...{ created_at: '2025-03-04 05:06:07', ...changes },
})

const refused = (file: string, ...words: readonly string[]) =>
  weir(['import', 'umami', '--from', file, '--state', newState(), ...words])

describe('an export of the hosted service', () => {
  it('is imported with its properties, and only once', async () => {
    const website_id = randomUUID()
    const one = row(website_id, {
      url_path: '/a "quoted", path\nof two lines',
      ...{ event_type: 2, event_name: 'bought' },
    })
    const rows = [
      { ...one, ...event({}, [string('plan', '\\N'), number('price', '10.5000')]), ...one },
      row(website_id),
    ]
    const properties = { 'properties.key': ['plan', 'price'], 'properties.data_type': [1, 2] }
    const values = { 'properties.string_value': ['\\N', '10.5000'], 'properties.number_value': [null, '10.5'] }
    const dates = { 'properties.date_value': [null, null] }
    const file = written(zipped([{ ...rows[0]!, ...properties, ...values, ...dates }, rows[1]!], []))
    const state = newState()
    expect(await imported(file, '--state', state, '--website', website_id)).toBe('events: 2 imported\n')
    expect(await imported(file, '--state', state, '--website', website_id)).toContain('Nothing is new: all 2 rows')
    expect(await imported(file, '--state', newState(), '--website', website_id)).toContain('2 were there already')
    const stored = await clickhouse(
      `SELECT url_path, properties.key AS keys, properties.string_value AS texts FROM custom_events
       WHERE website_id = '${website_id}'`,
    )
    expect(stored).toEqual([{ url_path: one.url_path, keys: ['plan', 'price'], texts: ['\\N', '10.5000'] }])
    // Other tests read exports at the same time, each in its own folder.
    const folder = `weir-${(await identityOf(file)).replace(' ', '-')}`
    expect(existsSync(join(tmpdir(), folder))).toBe(false)
  })

  it('gives an event the properties of its website, even if another website has the same event id', async () => {
    const [event_id, ...websites] = [randomUUID(), randomUUID(), randomUUID()]
    const rows = websites.map((website, index) => ({
      ...row(website, { event_id, event_type: 2, event_name: 'bought' }),
      ...{ 'properties.key': ['plan'], 'properties.data_type': [1], 'properties.string_value': [`plan ${index}`] },
      ...{ 'properties.number_value': [null], 'properties.date_value': [null] },
    }))
    const words = websites.flatMap((website) => ['--website', website])
    await imported(written(zipped(rows, [])), '--state', newState(), ...words)
    for (const [index, website] of websites.entries()) {
      const stored = await clickhouse(
        `SELECT properties.string_value AS texts FROM custom_events WHERE website_id = '${website}'`,
      )
      expect(stored).toEqual([{ texts: [`plan ${index}`] }])
    }
  })

  it('is read according to its header: unknown columns are reported, and missing ones stay empty', async () => {
    const website = randomUUID()
    const header = [
      'mood',
      'created_at',
      'event_id',
      'visit_id',
      'session_id',
      'website_id',
      'event_type',
      'subdivision1',
    ]
    const rows = [row(website, { mood: 'good', subdivision1: 'US-CA' })]
    const ended = await refused(zipOf(header, rows), '--website', website)
    expect(ended).toMatchObject({ code: 0, stdout: 'events: 1 imported\n' })
    expect(ended.stderr).toContain('website_event.csv: Weir does not know the columns mood and leaves them out.')
    expect(ended.stderr).toContain('website_event.csv has no event_name, hostname,')
    const stored = await clickhouse(`SELECT region, browser FROM events WHERE website_id = '${website}'`)
    expect(stored).toEqual([{ region: 'US-CA', browser: '' }])
  })

  it('is imported into the given website, which must be in the file if the file has several', async () => {
    const [website, other, target] = [randomUUID(), randomUUID(), randomUUID()]
    const single = zipOf(eventHeader, [row(website)])
    expect(await refused(single)).toMatchObject({ code: 2, stderr: expect.stringContaining(website) })
    const ended = await refused(single, '--website', target)
    expect(ended.stderr).toContain(`The events of ${website} are imported as events of ${target}.`)
    expect(await storedIds(target)).toHaveLength(1)
    const several = zipOf(eventHeader, [row(website), row(other)])
    expect(await refused(several, '--website', target)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(other),
    })
    await imported(several, '--state', newState(), '--website', other)
    expect(await storedIds(website)).toHaveLength(0)
    expect(await storedIds(other)).toHaveLength(1)
  })

  it('can be limited to a time range; rows without a time are refused, with the reason', async () => {
    const website = randomUUID()
    const times = ['2025-03-04 05:06:06', '2025-03-04 05:06:07', '2025-04-01 00:00:00', '2025-05-01 00:00:00', 'never']
    const file = zipOf(
      eventHeader,
      times.map((created_at) => row(website, { created_at })),
    )
    const words = ['--website', website, '--since', '2025-03-04T05:06:07Z', '--until', '2025-05-01']
    expect(await imported(file, '--state', newState(), ...words)).toBe('events: 2 imported\n')
    const state = newState()
    const told = await imported(file, '--state', state, '--website', website, '--rows', '1')
    expect(told).toContain('events: 2 imported, 2 were there already, 1 refused\n')
    expect(refusedIn(state)).toMatchObject([{ reason: 'created_at is not a valid time', row: { created_at: 'never' } }])
  })

  it('is refused if it is not a ZIP, is truncated, or is another file', async () => {
    const website = randomUUID()
    const whole = zipped([row(website)], [])
    const cases = [
      [written(new TextEncoder().encode('no ZIP at all, but long enough to look like one')), 'is not a ZIP file'],
      [written(whole.subarray(0, whole.length >> 2)), 'truncated'],
      [written(whole.subarray(0, whole.length >> 1)), 'truncated'],
      [written(zipSync({ 'other.csv': new Uint8Array(5) })), 'is not a ZIP file with a website_event.csv'],
      [join(folder, 'missing.zip'), 'There is no file'],
    ] as const
    for (const [file, message] of cases) {
      expect(await refused(file, '--website', website)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      })
    }
    expect(await refused(written(whole), '--website', website, '--follow')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--follow needs a database'),
    })
  })
})
