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

/** How long a result is reused, in milliseconds: anybody may call this, at any rate. */
const readinessLasts = 1000

/**
 * Time limits of the check: ClickHouse's in seconds; the whole check's, in milliseconds, leaves time for the reply.
 */
const clickHouseSeconds = 5
const readyPatience = (clickHouseSeconds + 2) * 1000

/** The outcome of a check; `refusal` if requests cannot be answered. */
interface Readiness {
  readonly refusal?: ApiError
}

const readinessMemo = memo<Readiness>(10)
const readinessFlights = flights<Readiness>()

/** Throws a 503 if D1 or ClickHouse cannot be read. */
export async function refuseUnlessReady(exchange: Exchange): Promise<void> {
  const { env, now } = exchange
  const key = env.CLICKHOUSE_URL
  const { refusal } =
    readinessMemo.get(key, now) ??
    (await withTimeout(readyPatience, readinessFlights.join(key, now, readyPatience, find), notReadyInTime))
  if (refusal) throw refusal

  async function find(): Promise<Readiness> {
    const result = await Promise.all([readMetadata(exchange), readEvents(exchange)]).then(
      () => ({}),
      (thrown: ApiError) => ({ refusal: thrown }),
    )
    readinessMemo.keeper()(key, result, now + exchange.elapsed() + readinessLasts)
    return result
  }
}

const notReadyInTime = (): ApiError =>
  new ApiError('service-unavailable', 'D1 or ClickHouse does not answer in time. Try again.', {
    headers: { 'Retry-After': '5' },
  })

async function readMetadata({ metadata }: Exchange): Promise<void> {
  await metadata.store.first('SELECT id FROM websites LIMIT 1').catch((cause: unknown) => {
    throw metadataUnreadable(cause)
  })
}

const readsNothing = select(() => z.object({}))`select website_id ${noRows(events)}`

async function readEvents({ env }: Exchange): Promise<void> {
  const server = parseServer(env)
  await run(
    { ...server, timeout: Math.min(server.timeout, clickHouseSeconds) },
    readsNothing,
    new AbortController().signal,
  )
}
