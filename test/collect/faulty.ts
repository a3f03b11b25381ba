import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  D1Database,
  D1PreparedStatement,
  DurableObjectId,
  DurableObjectNamespace,
  DurableObjectState,
} from '@cloudflare/workers-types'
import type { Candidate, LogState, Verdict } from '../../src/collect/candidate.ts'
import type { EventQuestion, KnownEvent } from '../../src/collect/event-question.ts'
import type { LogPlace } from '../../src/collect/objects.ts'
import type { Recording, RecordingVerdict } from '../../src/collect/recording-candidate.ts'
import type { Env } from '../../src/env.ts'
import worker, { EventLog as Whole } from '../../src/worker.ts'

/**
 * The Worker with logs that crash where a test tells them to. The header `x-log` selects the log object for a request,
 * and `/faults` sets when that object crashes. Without the header, the Worker selects the object.
 */

/** How one log object crashes. */
interface Plan {
  /** The names of the points reached since the last crash. */
  readonly passed: string[]
  /** The numbers of the next crash points, each counted from the previous crash. */
  readonly left: number[]
  /** The names of the points where it crashed. */
  readonly crashed: string[]
  /** Whether it gives the other objects no answer about their events. */
  isSilent: boolean
  /** How often it has called other objects. */
  calls: number
}

/** The response of `GET /faults`. */
export interface Faults extends Plan {
  /** Undefined if the object has just crashed. */
  readonly state: LogState | undefined
}

/** An object with its crash plan. */
interface Running {
  readonly plan: Plan
  readonly ctx: DurableObjectState
}

const plans = new Map<string, Plan>()
const current = new AsyncLocalStorage<Running>()
/** The object whose constructor is running. */
let loading: Running | undefined

const now = () => loading ?? current.getStore()

/** A possible crash point, just before or after an action of the object. */
function pass(name: string): void {
  const running = now()
  if (!running) return
  const { plan, ctx } = running
  plan.passed.push(name)
  if (plan.passed.length !== plan.left[0]) return
  plan.left.shift()
  plan.passed.length = 0
  plan.crashed.push(name)
  loading = undefined
  ctx.abort(`crash ${name}`)
  throw new Error(`crash ${name}`)
}

/** Runs `work` as a part of this object, even after its constructor has returned. */
const asNow = <Result>(work: () => Result): Result => {
  const running = now()
  return running ? current.run(running, work) : work()
}

/** Wraps an asynchronous action. */
async function later<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
  pass(`before ${name}`)
  const answer = work()
  pass(`during ${name}`)
  const got = await answer
  pass(`after ${name}`)
  return got
}

const { fetch: wholeFetch, setTimeout: wholeTimeout, clearTimeout: wholeClear } = globalThis

/** How far ahead the clock of all objects is, in milliseconds. */
let ahead = 0

/** The clock's relative speed, when it was set, and the milliseconds gained before that. Timers use this clock. */
let hurry = 1
const { now: wholeNow } = Date
let [since, gained] = [wholeNow(), 0]
const gainedNow = () => gained + (hurry - 1) * (wholeNow() - since)
Date.now = () => Math.floor(wholeNow() + ahead + gainedNow())

function setPace(pace: number): void {
  gained = gainedNow()
  since = wholeNow()
  hurry = pace
}

interface Timer {
  readonly of: Timers
  readonly at: number
  readonly rung: () => void
}

/**
 * An object's timers. Like workerd's, they use the machine's clock, and only the timer that is due first is armed. The
 * remaining time of a timer is computed only when it becomes the first. So a change of the clock stops all others.
 */
class Timers {
  #all: Timer[] = []
  #first: Timer | undefined
  #armed: ReturnType<typeof setTimeout> | undefined

  set(milliseconds: number, rung: () => void): Timer {
    const timer = { of: this, at: Date.now() + milliseconds, rung }
    this.#all.push(timer)
    this.#arm()
    return timer
  }

  clear(timer: Timer): void {
    this.#all = this.#all.filter((one) => one !== timer)
    this.#arm()
  }

  #arm(): void {
    const [first] = this.#all.toSorted((one, other) => one.at - other.at)
    if (first === this.#first) return
    wholeClear(this.#armed)
    this.#first = first
    if (first) this.#armed = wholeTimeout(() => this.#ring(first), (first.at - Date.now()) / hurry)
  }

  #ring(first: Timer): void {
    this.clear(first)
    first.rung()
  }
}

/** The timers of each object, which are dropped with the object. */
const timersOf = new WeakMap<DurableObjectState, Timers>()

const nameOf = (url: URL, init?: RequestInit): string => {
  const text = url.searchParams.get('query') ?? (init?.body instanceof FormData ? String(init.body.get('query')) : '')
  return /(?:INTO|FROM) (\w+)/.exec(text)?.[0] ?? 'unknown'
}

globalThis.fetch = ((input: string, init?: RequestInit) =>
  now()
    ? asNow(() => later(`fetch ${nameOf(new URL(input), init)}`, () => wholeFetch(input, init)))
    : wholeFetch(input, init)) as typeof fetch

globalThis.setTimeout = ((work: () => void, milliseconds: number) => {
  const running = now()
  if (!running) return wholeTimeout(work, milliseconds)
  pass('before setTimeout')
  const rung = () => {
    pass('before a timer')
    work()
    pass('after a timer')
  }
  const timers = timersOf.get(running.ctx) ?? new Timers()
  timersOf.set(running.ctx, timers)
  return timers.set(milliseconds, () => current.run(running, rung))
}) as typeof setTimeout

globalThis.clearTimeout = ((timer: Timer | Parameters<typeof wholeClear>[0]) => {
  if (typeof timer === 'object' && timer !== null && 'of' in timer) timer.of.clear(timer)
  else wholeClear(timer)
}) as typeof clearTimeout

/** D1, limited to what the log uses. */
const faultyD1 = (database: D1Database) => ({
  prepare: (query: string) => {
    const faulty = (statement: D1PreparedStatement) =>
      Object.assign(statement, { all: later.bind(undefined, 'a read of D1', statement.all.bind(statement)) })
    const prepared = database.prepare(query)
    const bind = prepared.bind.bind(prepared)
    return Object.assign(faulty(prepared), { bind: (...values: unknown[]) => faulty(bind(...values)) })
  },
  batch: (statements: Parameters<D1Database['batch']>[0]) => later('a write of D1', () => database.batch(statements)),
})

let isWrapped = false

/** Wraps an object's storage. */
function wrap({ storage }: DurableObjectState): void {
  if (isWrapped) return
  isWrapped = true
  const sql = Object.getPrototypeOf(storage.sql) as { exec(query: string, ...values: unknown[]): unknown }
  const { exec } = sql
  sql.exec = function (query, ...values) {
    const name = query.replace(/\s+/g, ' ').slice(0, 40)
    pass(`before ${name}`)
    const cursor = exec.call(this, query, ...values)
    pass(`after ${name}`)
    return cursor
  }
  const store = Object.getPrototypeOf(storage) as { setAlarm(at: number): Promise<void> }
  const { setAlarm } = store
  store.setAlarm = function (at) {
    pass('before setAlarm')
    const set = setAlarm.call(this, at)
    pass('after setAlarm')
    return set
  }
}

function planOf(id: string): Plan {
  if (!plans.has(id)) plans.set(id, { passed: [], left: [], crashed: [], isSilent: false, calls: 0 })
  return plans.get(id)!
}

/** The namespace of log objects, which counts how often the object with this plan uses it. */
const counted = (logs: DurableObjectNamespace, plan: Plan) =>
  ({
    idFromName: logs.idFromName.bind(logs),
    get: (id: DurableObjectId) => {
      plan.calls++
      return logs.get(id)
    },
  }) as unknown as DurableObjectNamespace

/** The log's bindings, wrapped for the constructor that runs next. */
function begin(ctx: DurableObjectState, env: Env): Env {
  wrap(ctx)
  const plan = planOf(String(ctx.id))
  loading = { plan, ctx }
  return { ...env, METADATA: faultyD1(env.METADATA) as unknown as D1Database, COLLECT: counted(env.COLLECT!, plan) }
}

export class EventLog extends Whole {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, begin(ctx, env))
    loading = undefined
  }

  #run<Result>(work: () => Result): Result {
    return current.run({ plan: planOf(String(this.ctx.id)), ctx: this.ctx }, work)
  }

  override append(candidates: readonly Candidate[], place: LogPlace): Promise<Verdict[]> {
    return this.#run(() => super.append(candidates, place))
  }

  override async known(askings: readonly EventQuestion[]): Promise<(KnownEvent | undefined)[]> {
    const plan = planOf(String(this.ctx.id))
    while (plan.isSilent) await new Promise((resolve) => void wholeTimeout(resolve, 50))
    return super.known(askings)
  }

  override record(recording: Recording): Promise<RecordingVerdict> {
    return this.#run(() => super.record(recording))
  }

  override alarm(): Promise<void> {
    return this.#run(() => super.alarm())
  }

  /** Does the same as the alarm. */
  async ring(): Promise<void> {
    await this.alarm()
  }
}

/** A namespace of log objects in which every request reaches the object with this name. */
const only = (logs: DurableObjectNamespace, name: string) =>
  ({ idFromName: () => logs.idFromName(name), get: logs.get.bind(logs) }) as unknown as DurableObjectNamespace

type Context = Parameters<typeof worker.fetch>[2]

export default {
  async fetch(request: Request, env: Env, context: Context): Promise<Response> {
    const name = request.headers.get('x-log')
    const logs = env.COLLECT!
    const { pathname, searchParams } = new URL(request.url)
    if (name === null) return worker.fetch(request, env, context)
    if (pathname !== '/faults') return worker.fetch(request, { ...env, COLLECT: only(logs, name) }, context)
    const id = logs.idFromName(name)
    const plan = planOf(String(id))
    ahead = Number(searchParams.get('ahead') ?? ahead)
    if (searchParams.has('hurry')) setPace(Number(searchParams.get('hurry')))
    const points = JSON.parse(searchParams.get('points')!)
    if (points.length > 0) plan.left.splice(0, plan.left.length, ...points)
    plan.isSilent = searchParams.has('silent')
    const log = logs.get(id) as unknown as { state(): Promise<LogState>; ring(): Promise<void> }
    if (searchParams.has('alarm')) await log.ring()
    const state = await log.state().catch(() => undefined)
    return Response.json({ ...plan, state } satisfies Faults)
  },
}
