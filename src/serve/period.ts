import * as z from 'zod'
import { mapAtOnce } from '../endpoints/concurrency.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { isAskedByBody } from '../endpoints/facts.ts'
import { id } from '../endpoints/ids.ts'
import { refusalOf } from '../errors.ts'
import { made } from '../made.ts'
import { allTime, askedPeriod, type GivenParameters, namedPeriod, withEnds } from '../request/named-period.ts'
import type { Period } from '../request/period.ts'
import { bodyFields, websiteIn } from './body.ts'
import type { Exchange } from './exchange.ts'
import { fieldsIn, hasFields } from './returned.ts'

/**
 * The period that the request chooses with `period`; undefined if it chooses none or `period` has no effect. The
 * endpoint's schema reports issues with `period`.
 */
export async function periodNamed(endpoint: Endpoint, exchange: Exchange): Promise<Period | undefined> {
  const { parameters, ignored } = endpoint.query
  if (!Object.hasOwn(parameters, 'period') || ignored.has('period')) return undefined
  const asked = askedPeriod(await rangeIn(endpoint, exchange))
  if (!asked) return undefined
  const first = asked.name === allTime ? await firstEvent(endpoint, exchange) : undefined
  return namedPeriod(asked.name, { now: exchange.now, zone: asked.zone, first })
}

/** The unvalidated range from the request's query string or body. */
async function rangeIn(endpoint: Endpoint, exchange: Exchange): Promise<GivenParameters> {
  if (isAskedByBody(endpoint)) {
    const { filters, parameters } = await bodyFields(exchange)
    return { ...fieldsIn(filters), ...fieldsIn(parameters) }
  }
  const { searchParams } = exchange.url
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

/** The schema of a query string or body, with the named period replaced by its ends. */
export function withPeriod(endpoint: Endpoint, period: Period | undefined, schema: z.ZodType): z.ZodType {
  if (!period) return schema
  return z.preprocess((given) => {
    if (!hasFields(given)) return given
    return isAskedByBody(endpoint)
      ? { ...given, parameters: withEnds(fieldsIn(given.parameters), period) }
      : withEnds(given, period)
  }, schema)
}

const DateRange = () => z.object({ startDate: z.string().nullable() })

/**
 * The time of the first event that the caller may see in the request's website or websites, in milliseconds since 1970.
 * Undefined if there is no event, or if the caller will be refused anyway.
 */
async function firstEvent(endpoint: Endpoint, exchange: Exchange): Promise<number | undefined> {
  const { url, subrequest } = exchange
  const named = [await websiteIn(endpoint, exchange), ...(url.searchParams.get('ids') ?? '').split(',', mostIds)]
  const ids = named.flatMap((one) => made(id).safeParse(one).data ?? [])
  const firsts = await mapAtOnce(ids, async (websiteId) => {
    const answer = await subrequest(`/api/websites/${websiteId}/daterange`)
    if (answer.ok) return made(DateRange).parse(await answer.json()).startDate ?? undefined
    // The others are refusals, which the endpoint itself repeats.
    if (answer.status >= 422) throw await refusalOf(answer)
    return void (await answer.body?.cancel())
  })
  const moments = firsts.flatMap((text) => (text === undefined ? [] : [Date.parse(text)]))
  return moments.length === 0 ? undefined : Math.min(...moments)
}

/** The maximum number of websites in one request. */
const mostIds = 20
