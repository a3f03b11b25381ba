import { personalAccountOf } from '../access/limits.ts'
import type { Grant } from '../access/permit.ts'
import { runAll } from '../clickhouse/run.ts'
import { exportTimeout, statementLimits, statementTimeout } from '../clickhouse/server.ts'
import type { WebsiteReading } from '../endpoints/reading.ts'
import { replayChunks } from '../query/tables/tables.ts'
import { type Filters, noFilters } from '../request/filters.ts'
import { tellLogsAsked } from './asked.ts'
import { newAnswerers, replicasFor, routeOf } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import { rowsInTurn } from './export/index.ts'
import type { Caller } from './identify.ts'
import { boundPatterns, refusalOfPattern } from './pattern-bounds.ts'
import { purgerOf } from './purger.ts'
import { resolveSavedFilters, scopeOf } from './question.ts'

/** How an action reads events. A streamed answer may take as long as an export. */
export function websiteReading({ holder, website }: Caller, grant: Grant, exchange: Exchange): WebsiteReading {
  const { env, address, metadata, patterns } = exchange
  let filters: Filters = noFilters
  /** `timeout` is in seconds. */
  const within =
    (timeout: number): WebsiteReading['run'] =>
    async (plan) => {
      await tellLogsAsked(website!.id, [replayChunks.name], Infinity, exchange)
      const limits = { timeout, ...statementLimits(env, {}) }
      const asker = { website: website!.id, caller: personalAccountOf(holder, address) }
      const route = routeOf(exchange, replicasFor(grant, exchange), limits, newAnswerers(), asker)
      const results = runAll(route, plan).catch((error: unknown) => {
        throw refusalOfPattern(error, filters, false)
      })
      return (await results) as never
    }
  return {
    scope: scopeOf(website!, grant, exchange),
    async filtersOf(given) {
      filters = await resolveSavedFilters(given, undefined, website!, grant, metadata)
      boundPatterns(filters, grant, patterns)
      return filters
    },
    run: within(statementTimeout(env)),
    runWhileSending: within(exportTimeout(env)),
    purgeSessions: purgerOf(exchange),
    rowsInTurn: (statements) => rowsInTurn(statements, { holder }, grant, exchange),
  }
}
