import { weirClient } from '@weir/client'
import { expect, it } from 'vitest'
import { formatTick } from '../../src/pages/dashboard/format/moments.ts'
import { formatShare } from '../../src/pages/dashboard/format/numbers.ts'
import { reasonOf } from '../../src/pages/session/reason.ts'

it('the percentage of one visitor in thousands is not shown as zero', () => {
  expect(formatShare(1 / 6049)).toBe(`<${formatShare(1 / 1000)}`)
  expect(formatShare(0)).not.toBe(formatShare(1 / 1000))
})

it('hours in ranges longer than two days are labelled with their date', () => {
  const label = (to: string, unit: 'hour' | 'day') =>
    formatTick(0, { from: '1970-01-01', to, unit, zone: 'UTC', name: undefined, until: undefined })
  expect(label('1970-01-03', 'hour')).toBe(label('1970-01-03', 'day'))
  expect(label('1970-01-02', 'hour')).not.toBe(label('1970-01-02', 'day'))
})

it('an answer that takes too long is not explained by the network', async () => {
  const silent: typeof fetch = (_, init) =>
    new Promise((_, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)))
  const error = await weirClient({ url: 'http://none', timeout: 1, fetch: silent })
    .getMe()
    .catch((late) => late)
  expect(reasonOf(error)).toBe('Weir did not answer in time. Please try again.')
})
