import type { Context, MiddlewareHandler } from 'hono'
import { type Asked, awaited, find, make, type Surroundings } from './cache/answers.ts'
import { type Kept, keep } from './cache/kept.ts'
import { keyOf } from './cache/key.ts'
import { type CacheTimes, freshUntil, sharedPeriod } from './cache/times.ts'
import { PatternError, run } from './clickhouse/run.ts'
import { parseServer, type Server } from './clickhouse/server.ts'
import type { AnyReport } from './endpoints/endpoint.ts'
import { ApiError } from './errors.ts'
import { log } from './log.ts'
import { compile, type Statement } from './query/sql.ts'
import type { Filters } from './request/filters.ts'
import { patternRefused } from './request/patterns.ts'
import type { Period } from './request/period.ts'
import { type Cached, respondKept } from './respond.ts'
import type { Stages } from './serve.ts'
import { scopeOf } from './settle.ts'

type Request = Context<Stages>

/** What was read of a request for a report. `period` is that of the reports over a range. */
export interface ReportInput {
  readonly filters: Filters
  readonly period?: Period
}

/** A report that may be answered: what to ask, and how it is found in the cache. */
export interface Ready {
  readonly input: ReportInput
  readonly plan: Readonly<Record<string, Statement<unknown>>>
  readonly asked: Asked
  /** The range that a reader through a door is answered for. */
  readonly shared: Period | undefined
  /** The tables that are read, in order of appearance. */
  readonly tables: readonly string[]
}

/** The plan of a report, its filters settled, its range as this reader gets it. */
export function readied(c: Request, report: AnyReport, given: ReportInput): Ready {
  const { door, filters, now } = c.var
  const website = c.get('website')!
  const times = c.env.CACHE
  const isDoor = door !== undefined
  const steady = times && given.period ? sharedPeriod(times, given.period, now) : given.period
  const shared = isDoor && times ? steady : undefined
  const input: ReportInput = { ...given, filters, ...(shared && { period: shared }) }
  const plan: Ready['plan'] = report.plan(input as never, scopeOf(website, door))
  const subject = { name: report.name, websiteId: website.id, epoch: website.cacheEpoch, plan, input }
  const key = times ? keyOf(subject) : ''
  const recurs = input.period?.startAt === steady?.startAt && input.period?.endAt === steady?.endAt
  const tables = [...new Set(Object.values(plan).flatMap(({ body }) => compile(body).tables))]
  return { input, plan, shared, tables, asked: { key, endsAt: endOf(input), isDoor, recurs, now } }
}

/** The last moment that an answer is about: a cohort may look at later events than the range has. */
const endOf = ({ period, filters }: ReportInput): number =>
  Math.max(period?.endAt ?? Infinity, ...filters.cohorts.map((cohort) => cohort.period.endAt))

/**
 * Answers from the cache where it can. An answer that is no longer fresh is given once more, while a new one is made
 * behind it; one that is older is left for `answerReport`, should no new one be had.
 */
export const fromCache =
  (
    report: AnyReport,
    inputOf: (c: Request) => ReportInput,
    charged: MiddlewareHandler<Stages>,
  ): MiddlewareHandler<Stages> =>
  async (c, next) => {
    const given = inputOf(c)
    const ready = readied(c, report, given)
    c.set('ready', ready)
    const times = c.env.CACHE
    if (!times) return next()
    const around = surroundings(c, times)
    const found = await find(ready.asked, around)
    if (!found || found.age === 'old') {
      c.set('fallback', found?.kept)
      return next()
    }
    if (found.age === 'stale') {
      const work = () => asked(c, report, ready).catch(logged(around.failed))
      // Statements that run are charged, whoever waits for them: with the limit used up the older answer has to do.
      // Nothing of this request waits for the new one: where another request makes it, this one may end first.
      const update = () => void make(ready.asked, patienceOf(c), around, work)
      await charged(c, async () => update()).catch(unlessLimited)
      return respondKept(c, ready, found.kept, 'UPDATING')
    }
    offerPass(c, ready, given.filters, found.kept, times)
    return respondKept(c, ready, found.kept, 'HIT')
  }

function unlessLimited(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'too-many-requests')) throw error
}

const logged =
  (log: (error: unknown) => void) =>
  (error: unknown): never => {
    log(error)
    throw error
  }

/** An equal request may skip all stages for as long as what decided about this one holds. */
function offerPass(c: Request, { asked }: Ready, given: Filters, kept: Kept, times: CacheTimes): void {
  // What a saved filter stands for is looked up, and a cohort's dates move on.
  if (given.segment || given.cohort) return
  const { door, knownUntil, forgettings } = c.var
  const until = Math.min(knownUntil, door?.expiresAt ?? Infinity, freshUntil(times, asked, kept.madeAt))
  c.set('pass', { key: asked.key, etag: kept.etag, madeAt: kept.madeAt, until, forgettings })
}

/** Answers what the cache did not, and keeps it there. */
export async function answerReport(c: Request, report: AnyReport): Promise<Response> {
  const { ready, fallback, elapsed } = c.var
  const times = c.env.CACHE
  const began = elapsed()
  const respond = (kept: Kept, cached: Cached | undefined) => respondKept(c, ready, kept, cached, elapsed() - began)
  const work = () => asked(c, report, ready)
  try {
    if (!times) return respond(await work(), undefined)
    const making = make(ready.asked, patienceOf(c), surroundings(c, times), work)
    return respond(await awaited(making, fallback ? patienceWithFallback : patienceOf(c)), 'MISS')
  } catch (error) {
    if (fallback && error instanceof ApiError && error.code === 'service-unavailable') return respond(fallback, 'STALE')
    throw error instanceof PatternError ? patternRefused(error.text, c.get('filters'), c.get('door')) : error
  }
}

/** In milliseconds. With an old answer at hand nobody waits for long. */
const patienceWithFallback = 5000
const patienceOf = (c: Request): number => (parseServer(c.env).timeout + 2) * 1000

async function asked(c: Request, report: AnyReport, { input, plan }: Ready): Promise<Kept> {
  const { body, ...told } = report.shape((await runAll(parseServer(c.env), plan)) as never, input as never)
  return keep(body, told, c.get('now'))
}

function surroundings(c: Request, times: CacheTimes): Surroundings {
  return {
    times,
    version: c.env.VERSION?.id ?? '',
    waitUntil: (work) => c.executionCtx.waitUntil(work),
    failed(error) {
      log(c, { cache: String(error) })
    },
  }
}

/** Runs the statements of a plan together; when one fails, the others are given up. */
async function runAll(server: Server, plan: Ready['plan']): Promise<object> {
  const others = new AbortController()
  try {
    const results = Object.entries(plan).map(async ([name, statement]) => [
      name,
      await run(server, statement, others.signal),
    ])
    return Object.fromEntries(await Promise.all(results))
  } catch (error) {
    others.abort()
    throw error
  }
}
