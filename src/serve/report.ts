import { personalAccountOf } from '../access/limits.ts'
import {
  awaitAnswer,
  type CacheQuestion,
  type CacheServices,
  findAnswer,
  isBeingMade,
  makeAnswer,
} from '../cache/answers.ts'
import { cacheKey } from '../cache/key.ts'
import { type StoredAnswer, storedAnswer } from '../cache/stored.ts'
import { type CacheTimes, freshUntil, sharedPeriod } from '../cache/times.ts'
import { isNobodyThere, type ReplicaRoute } from '../clickhouse/replicas.ts'
import { statementLimits, statementTimeout } from '../clickhouse/server.ts'
import { ApiError, isUnread } from '../errors.ts'
import { compile } from '../query/language/sql.ts'
import type { Statement } from '../query/language/statement.ts'
import { sessionData } from '../query/tables/tables.ts'
import { patternsOf } from '../request/patterns.ts'
import { tellLogsAsked } from './asked.ts'
import { asOfAll, newAnswerers, originOf, replicasFor, routeOf } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import type { Caller } from './identify.ts'
import type { Input } from './input.ts'
import { planKnowing, runKnowing } from './known.ts'
import { log } from './log.ts'
import { refuseOutage } from './outage.ts'
import { refusalOfPattern } from './pattern-bounds.ts'
import { renewalOf } from './public-address.ts'
import type { Question } from './question.ts'
import { type CacheStatus, during, namesOf } from './record.ts'
import { type Provenance, respondStored } from './respond.ts'

/** A question with its plan and cache key. */
interface PlannedQuestion {
  readonly input: Input
  readonly plan: Readonly<Record<string, Statement<unknown>>>
  readonly cacheQuestion: CacheQuestion
  /** The names of the tables that the plan reads. */
  readonly tables: readonly string[]
  readonly provenance: Pick<Provenance, 'range' | 'tables'>
}

/**
 * Answers a question, from the cache if possible. Stale-while-revalidate: a stale answer is served while a new one is
 * computed in the background. Stale-if-error: an older answer is served only if no new one can be computed.
 */
export async function answerReport(
  question: Question,
  charge: () => Promise<void>,
  caller: Caller,
  exchange: Exchange,
): Promise<Response> {
  const planned = planQuestion(question, exchange)
  const times = timesOf(exchange.env)
  const respond = (stored: StoredAnswer, cached: CacheStatus | undefined) =>
    respondStored(stored, { ...planned.provenance, cached }, exchange)
  const work = (stay = () => {}) => answerNow(question, planned, caller, exchange, stay)
  if (!times) {
    refuseOutage(caller)
    await charge()
    const inTime = awaitAnswer(work(), timeLeft(exchange))
    const stored = await during(exchange, 'clickhouse', inTime).catch(refusePattern(question))
    return respond(stored, undefined)
  }

  const services = servicesOf(times, exchange)
  const cachedAnswer = await during(exchange, 'cache', findAnswer(planned.cacheQuestion, services))
  if (!cachedAnswer) refuseOutage(caller)
  else if (caller.outage !== undefined) {
    return respond(cachedAnswer.stored, cachedAnswer.age === 'fresh' ? 'HIT' : 'STALE')
  }
  if (cachedAnswer?.age === 'fresh') {
    // With a named period, each request has a different range.
    const mayRecur = !question.usesSaved && !exchange.namedPeriod
    if (mayRecur) exchange.offer = offerOf(planned, question, caller, cachedAnswer.stored, times, exchange)
    return respond(cachedAnswer.stored, 'HIT')
  }
  const isDown = cachedAnswer !== undefined && isNobodyThere(replicasFor(question.grant, exchange))
  if (cachedAnswer?.age === 'stale' || isDown) {
    const update = () =>
      void makeAnswer(planned.cacheQuestion, answerPatience(exchange), services, (stay) => {
        stay()
        const working = work().catch(logAndThrow(services.failed))
        exchange.record.update = working
        return working
      }).catch(() => {})
    // The update runs statements, so it is charged to this request. If that exceeds the limit, the stale answer is sent
    // without an update. This request does not wait for the update, which another request may already be computing.
    await charge().then(update, unlessLimited)
    return respond(cachedAnswer.stored, isDown ? 'STALE' : 'UPDATING')
  }
  if (!isBeingMade(planned.cacheQuestion, answerPatience(exchange))) await charge()
  try {
    const making = makeAnswer(planned.cacheQuestion, answerPatience(exchange), services, work)
    const patience = Math.min(timeLeft(exchange), cachedAnswer ? fallbackPatience : Infinity)
    const stored = await during(exchange, 'clickhouse', awaitAnswer(making, patience))
    return respond(stored, 'MISS')
  } catch (error) {
    if (cachedAnswer && isUnread(error)) {
      return respond(cachedAnswer.stored, 'STALE')
    }
    return refusePattern(question)(error)
  }
}

/** Plans a question's statements for the range that this reader gets. */
export function planQuestion(
  { report, website, grant, scope, need, input: given }: Question,
  { env, now, deadline }: Exchange,
): PlannedQuestion {
  const times = timesOf(env)
  const isOpening = grant.kind === 'opening'
  const steady = times && given.period ? sharedPeriod(times, given.period, now) : given.period
  const range = isOpening && times ? steady : undefined
  const asked: Input = { ...given, ...(range && { period: range }) }
  const input: Input = { ...asked, ...(isAboutNow(given) && { now }) }
  const planOf = (one: Input): PlannedQuestion['plan'] => report.plan(one as never, scope)
  const plan = planOf(input)
  // Questions about the current time differ by milliseconds, but share an answer while it is fresh.
  const known = isAboutNow(given) ? { input: asked, plan: planOf(asked) } : { input, plan }
  const subject = { name: report.name, websiteId: website.id, epoch: website.cacheEpoch, ...known }
  const tables = [...new Set(Object.values(plan).flatMap(({ body }) => compile(body).tables))]
  const key = times ? cacheKey(subject) : ''
  return {
    input,
    plan,
    tables,
    cacheQuestion: {
      key,
      // Requests with different deadlines do not share work, because work with an early deadline may fail although
      // other callers have more time.
      flight: deadline === undefined ? key : `${key} ${deadline}`,
      // A session's latest identify call may arrive at any time.
      endsAt: tables.includes(sessionData.name) ? Infinity : endOf(input),
      lifetime: env.maxAge ?? report.lifetime,
      isOpening,
      need,
      recurs:
        env.maxAge === undefined && input.period?.startAt === steady?.startAt && input.period?.endAt === steady?.endAt,
      now,
    },
    // The table names would reveal locked filters.
    provenance: { range, tables: grant.opening?.filters ? undefined : tables },
  }
}

/** Live answers share reads even if caching is off otherwise. */
const timesOf = ({ CACHE, maxAge }: Exchange['env']): CacheTimes | undefined =>
  CACHE ?? (maxAge === undefined ? undefined : notCached)

const notCached: CacheTimes = { open: 0, shared: 0, closed: 0, settled: 0, stale: 0, onError: 0 }

const isAboutNow = (input: Input): boolean => 'now' in input

/** The last moment that an answer depends on. A cohort may depend on events after the range. */
const endOf = ({ period, filters }: Input): number =>
  Math.max(period?.endAt ?? Infinity, ...filters.cohorts.map((cohort) => cohort.period.endAt))

/** Runs the statements and shapes their rows. */
async function answerNow(
  question: Question,
  planned: PlannedQuestion,
  { holder }: Caller,
  exchange: Exchange,
  stay: () => void,
): Promise<StoredAnswer> {
  const { report, website, grant, need } = question
  const { input, tables, cacheQuestion } = planned
  const { env, now, address } = exchange
  await tellLogsAsked(website.id, tables, cacheQuestion.endsAt, exchange)
  const isOpening = grant.kind === 'opening'
  const mayRunOn = isOpening && patternsOf(input.filters).length > 0
  const limits = { timeout: statementTimeout(env), need, isOpening, mayRunOn, ...statementLimits(env, report) }
  const replicas = replicasFor(grant, exchange)
  const answerers = newAnswerers()
  const asker = { website: website.id, caller: personalAccountOf(holder, address) }
  const route = routeOf(exchange, replicas, limits, answerers, asker, stay)
  const results = await runKnowing(website.id, await planAgain(question, planned, route), route)
  const { body, ...headers } = await report.shape(results as never, input as never)
  const [asOf, origin] = [asOfAll(answerers), headers.next && originOf(answerers, replicas)]
  return {
    ...(await storedAnswer(body, headers, now)),
    ...{ replica: namesOf(answerers.names), tries: answerers.tries },
    ...(asOf !== undefined && { asOf }),
    ...(origin && { origin }),
  }
}

/** A question's plan, using what this isolate knows about the website. */
export const planAgain = (
  { report, website, scope }: Question,
  { input, plan }: PlannedQuestion,
  route: ReplicaRoute,
): Promise<PlannedQuestion['plan']> =>
  planKnowing(website.id, plan, (known) => report.plan(input as never, { ...scope, known }), route)

export const refusePattern =
  ({ input, grant }: Question) =>
  (error: unknown): never => {
    throw refusalOfPattern(error, input.filters, grant.kind === 'opening')
  }

/** Time limits in milliseconds. Requests do not wait long for a new answer if there is an old one. */
const fallbackPatience = 5000
const answerPatience = ({ env }: Exchange): number => (statementTimeout(env) + 2) * 1000

/** The time left until the request's deadline, in milliseconds. */
export const timeLeft = ({ env, now, until, elapsed }: Exchange): number =>
  Math.max(0, Math.min(until, now + statementTimeout(env) * 1000) - now - elapsed())

function unlessLimited(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'too-many-requests')) throw error
}

const logAndThrow =
  (failed: (error: unknown) => void) =>
  (error: unknown): never => {
    failed(error)
    throw error
  }

/** The shortcut for equal requests. It expires as soon as anything expires that this request's answer depended on. */
function offerOf(
  { cacheQuestion }: PlannedQuestion,
  { grant }: Question,
  { knownUntil }: Caller,
  { etag, madeAt, asOf }: StoredAnswer,
  times: CacheTimes,
  { generation, publicAnswer }: Exchange,
): Exchange['offer'] {
  const expiresAt = grant.opening?.expiresAt ?? Infinity
  const publicUntil = publicAnswer?.until
  const renewal = publicUntil === undefined ? Infinity : renewalOf(publicUntil)
  const until = Math.min(knownUntil, expiresAt, renewal, freshUntil(times, cacheQuestion, madeAt, asOf))
  return { key: cacheQuestion.key, etag, madeAt, until, generation, publicUntil }
}

const servicesOf = (times: CacheTimes, exchange: Exchange): CacheServices => ({
  times,
  version: exchange.env.VERSION?.id ?? '',
  waitUntil: exchange.waitUntil,
  failed: (error) => log(exchange, { cacheError: String(error) }),
})
