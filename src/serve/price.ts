import { forbidden } from '../access/permit.ts'
import type { ReplicaRoute } from '../clickhouse/replicas.ts'
import { run } from '../clickhouse/run.ts'
import { statementTimeout } from '../clickhouse/server.ts'
import { mapAtOnce } from '../endpoints/concurrency.ts'
import { estimates, type Price, type Priced } from '../query/language/price.ts'
import { replicasFor, routeOf } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import type { Format } from './export/formats.ts'
import { exportOf } from './export/index.ts'
import type { Question } from './question.ts'
import { planAgain, planQuestion, refusePattern } from './report.ts'

/** The media type of a price. A report's actual answer is `application/json`. */
export const priceType = 'application/vnd.weir.price+json'

/**
 * Answers with an estimate of what the report or its export would read. The same rights and limits apply as for the
 * report.
 */
export async function answerPrice(
  question: Question,
  format: Format | undefined,
  charge: () => Promise<void>,
  exchange: Exchange,
): Promise<Response> {
  const closed = closedPrice(question)
  if (closed !== undefined) throw forbidden(closed)
  const planned = format ? undefined : planQuestion(question, exchange)
  const body = format && exportOf(question, format, exchange).statement
  await charge()
  const { env } = exchange
  const limits = { timeout: statementTimeout(env), isOpening: question.grant.kind === 'opening' }
  const route = routeOf(exchange, replicasFor(question.grant, exchange), limits)
  const pricing = async () =>
    priceOf(planned ? await planAgain(question, planned, route) : { export: { body: body! } }, route)
  const price = await pricing().catch(refusePattern(question))
  exchange.setHeader('Cache-Control', 'private, no-store')
  return exchange.respond(JSON.stringify(price), 200, { 'Content-Type': priceType })
}

/** Why the caller may not see the price, which would reveal how much data is hidden; undefined if they may see it. */
export function closedPrice({ grant, report, scope }: Question): string | undefined {
  if (grant.opening?.filters) return priceClosed
  return report.showsSessionProperties && scope.hidesSessionProperties ? propertiesClosed : undefined
}

const propertiesClosed =
  'This share or public website does not show session properties, so it has no price: leave out dryRun.'

const priceClosed = 'This share or public website has locked filters, so it has no price: leave out dryRun.'

async function priceOf(plan: Priced, route: ReplicaRoute): Promise<Price> {
  const { statements, priceOf } = estimates(plan)
  const { signal } = new AbortController()
  const results = await mapAtOnce(statements, (statement) => run(route, statement, signal))
  return priceOf(results.map(({ rows }) => rows))
}
