import * as z from 'zod'
import { flights, withTimeout } from '../cache/flights.ts'
import { run } from '../clickhouse/run.ts'
import { parseServer } from '../clickhouse/server.ts'
import { ApiError, metadataUnreadable } from '../errors.ts'
import { memo } from '../metadata/memo.ts'
import { noRows } from '../query/rows.ts'
import { select } from '../query/sql.ts'
import { events } from '../query/tables.ts'
import type { Exchange } from './exchange.ts'

/** How long what was found holds, in milliseconds: anybody may ask, as often as they like. */
const holds = 1000

/** How long D1 and ClickHouse may take, in milliseconds: the seconds of ClickHouse, and some to hear of it. */
const seconds = 5
const patience = (seconds + 2) * 1000

/** Why requests cannot be answered, if so. */
interface Found {
  readonly refusal?: ApiError
}

const found = memo<Found>(10)
const underWay = flights<Found>()

/** Refuses where D1 or ClickHouse cannot be read. */
export async function refuseUnlessReady(exchange: Exchange): Promise<void> {
  const { env, now } = exchange
  const key = env.CLICKHOUSE_URL
  const { refusal } =
    found.get(key, now) ?? (await withTimeout(patience, underWay.join(key, now, patience, find), late))
  if (refusal) throw refusal

  async function find(): Promise<Found> {
    const result = await Promise.all([readMetadata(exchange), readEvents(exchange)]).then(
      () => ({}),
      (thrown: ApiError) => ({ refusal: thrown }),
    )
    found.keeper()(key, result, now + exchange.elapsed() + holds)
    return result
  }
}

const late = (): ApiError =>
  new ApiError('service-unavailable', 'D1 or ClickHouse does not answer in time. Try again.', {
    headers: { 'Retry-After': '5' },
  })

async function readMetadata({ metadata }: Exchange): Promise<void> {
  await metadata.store.first('SELECT id FROM websites LIMIT 1').catch((cause: unknown) => {
    throw metadataUnreadable(cause)
  })
}

const readsNothing = select(z.object({}))`select website_id ${noRows(events)}`

async function readEvents({ env }: Exchange): Promise<void> {
  const server = parseServer(env)
  await run({ ...server, timeout: Math.min(server.timeout, seconds) }, readsNothing, new AbortController().signal)
}
