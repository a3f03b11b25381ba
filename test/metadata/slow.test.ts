import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Metadata, metadata } from '../../src/metadata/metadata.ts'
import type { Website } from '../../src/metadata/website.ts'
import { type FailingD1, failingD1 } from '../support/doubles/failing-d1.ts'
import { newWebsite } from '../support/weir.ts'

let d1: FailingD1
let access: Metadata
let website: Website
beforeEach(async () => {
  d1 = failingD1()
  access = metadata(d1.database, Date.now())
  website = (await access.lookUp(undefined, await newWebsite(), 'figures')).website!
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  d1.beforeAnswer = () => vi.advanceTimersByTimeAsync(5000)
})
afterEach(() => void vi.useRealTimers())

const [id, report, note] = [randomUUID(), { name: 'r', description: '', parameters: {} }, { date: 0, allDay: false }]
const progress = { source: 'export', state: 'running', section: null, rowsDone: 0, rowsTotal: 0, rate: 0 } as const

const writes: Readonly<Record<string, () => Promise<unknown>>> = {
  'a new report': () => access.reports.create(website, { userId: null, type: 'goal' }, report, null),
  'a changed report': () => access.reports.update(id, report),
  'a deleted report': () => access.reports.delete(id),
  'a new note': () => access.annotations.create(website, null, { ...note, note: 'n' }, null),
  'a changed note': () => access.annotations.update(website.id, id, { ...note, note: 'n' }),
  'a deleted note': () => access.annotations.delete(website.id, id),
  'an attempt at a second factor': () => access.twoFactors.beginTry(id, true),
  'a used code': () => access.twoFactors.countStep(id, 1),
  'a used backup code': () => access.twoFactors.countBackupCode(id, 'hash'),
  'the progress of an import': () => access.imports.put(id, { ...progress, error: null }),
}

it.each(Object.entries(writes))(
  'a write may take five seconds, because it may have been stored: %s',
  async (_, write) => {
    await expect(write()).resolves.not.toThrow()
  },
)

it('a read may not', async () => {
  await expect(access.reports.read(id)).rejects.toThrow('D1 does not answer.')
})
