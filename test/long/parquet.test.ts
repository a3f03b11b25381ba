import { expect, it } from 'vitest'
import { ask, parquet } from '../support/exports.ts'
import { clickhouse, newWebsite, pathOf } from '../support/weir.ts'

/** `test/export/failures.test.ts` tests the refusal with fewer rows. */
it('a Parquet file may have a million rows; one with more is refused', async () => {
  const websiteId = await newWebsite()
  // The rows are attached as a part, so no views run. This list reads only `events`. No other test uses this month.
  const beside = `million_${Date.now()}`
  await clickhouse(`create table ${beside} as events`)
  await clickhouse(`insert into ${beside} (website_id, event_id, created_at, event_type)
    select '${websiteId}', reinterpretAsUUID(number), '1999-10-15 12:00:00', 1 from numbers(100001)`)
  for (let tenth = 0; tenth < 10; tenth++) await clickhouse(`alter table events attach partition 199910 from ${beside}`)
  await clickhouse(`drop table ${beside}`)
  const range = { startAt: Date.UTC(1999, 9, 15), endAt: Date.UTC(1999, 9, 16) }
  const path = pathOf(`/api/websites/${websiteId}/events`, range)
  expect((await ask(path, parquet)).status).toBe(400)
  const whole = await ask(`${path}&maxResults=1000000`, parquet)
  expect([whole.status, (await whole.arrayBuffer()).byteLength > 1_000_000]).toEqual([200, true])
  await clickhouse('alter table events drop partition 199910')
})
