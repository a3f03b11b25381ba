import { ApiError, pastDeadline } from '../errors.ts'
import { madeFor } from '../made.ts'
import { longestLook, until as lookUntil } from '../until.ts'

/** How many statements an isolate runs at once, and how many wait in line. */
export interface TurnLimits {
  /** Of all websites and callers together. */
  readonly isolate: number
  readonly website: number
  readonly caller: number
  /** Of all readers of shares and public websites together. */
  readonly openings: number
  /** How many more of one website may wait; those of openings count apart. */
  readonly waiting: number
  /** The longest wait, in seconds. */
  readonly patience: number
}

export const defaultLimits: TurnLimits = {
  isolate: 64,
  website: 16,
  caller: 32,
  openings: 2,
  waiting: 500,
  patience: 10,
}

/** The limits of the variable `CONCURRENCY`. A figure that is missing, or no positive number, is the default. */
export const turnLimits = (given: Readonly<Partial<Record<keyof TurnLimits, unknown>>> = {}): TurnLimits =>
  Object.fromEntries(
    Object.entries(defaultLimits).map(([name, figure]) => {
      const own = Number(given[name as keyof TurnLimits])
      return [name, own > 0 ? own : figure]
    }),
  ) as unknown as TurnLimits

/** Whose statement it is: the website that it reads, and the account of its caller. */
export interface Asker {
  readonly website: string
  readonly caller: string
  /** Whether the caller reads through a share or a public website. */
  readonly isOpening: boolean
  /** Whether ClickHouse may work on past the end of the request: it matches patterns of such a reader. */
  readonly mayRunOn?: boolean
}

/**
 * How long a statement that was cut short keeps its turn, in milliseconds, if it may run on. ClickHouse ends it between
 * two blocks, and the Worker cannot know when that is.
 */
const runsOn = 30_000

/**
 * The lease of a turn or a place, in milliseconds. When a caller leaves, the runtime may drop the request's work, and
 * with it the code that would end the turn. So it expires soon, and the request renews it while it lives.
 */
export const lease = 3000
export const renewal = 1000

interface Wait {
  /** Milliseconds since 1970. */
  readonly time: () => number
  /** The deadline of the request, in milliseconds since 1970. */
  readonly until: number
  /** Leaves the line. */
  readonly signal: AbortSignal
}

/** Readers of one queue wait for the same turns. */
const queueOf = ({ isOpening, website }: Asker): string => (isOpening ? 'openings' : website)

/** A statement that runs, or waits in line. */
interface Turn extends Asker {
  /** Turns that came later have greater numbers. */
  readonly number: number
  /** The end of its lease, in milliseconds since 1970. */
  leasedUntil: number
}

/** Takes a turn for a statement; resolves with the function that ends it. */
export type TakeTurn = (asker: Asker, wait: Wait) => Promise<() => void>

/**
 * The line of an isolate. Readers with a right of their own go first. The next turn then goes to the website, and
 * within it to the caller, with the fewest running.
 */
export function turns({ isolate, website, caller, openings, waiting, patience }: TurnLimits): TakeTurn {
  const running = new Set<Turn>()
  /** The turns that wait, by the websites of readers with a right of their own; those of openings are one queue. */
  const line = new Map<string, Set<Turn>>()
  let [taken, proceeded] = [0, 0]

  const ofWebsite = (some: ReadonlySet<Turn>, one: Asker): number => count(some, (turn) => turn.website === one.website)
  const ofCaller = (one: Asker): number => count(running, (turn) => turn.caller === one.caller)
  /** Whether an opening has to wait for another one. Questions with patterns leave one turn to those without. */
  const isOpeningFull = ({ isOpening, mayRunOn = false }: Pick<Asker, 'isOpening' | 'mayRunOn'>): boolean =>
    isOpening &&
    (count(running, (turn) => turn.isOpening) >= openings ||
      (mayRunOn && count(running, (turn) => turn.mayRunOn === true) >= Math.max(1, openings - 1)))
  const inLineBefore = (one: Asker): number =>
    count(line.get(queueOf(one)) ?? [], (turn) => turn.website === one.website)
  const enter = (turn: Turn): unknown => madeFor(queueOf(turn), line, () => new Set()).add(turn)
  const leave = (turn: Turn): void => {
    const queue = line.get(queueOf(turn))
    if (queue?.delete(turn) && queue.size === 0) line.delete(queueOf(turn))
  }

  /** Begins every turn that may begin. */
  function proceed(now: number): void {
    proceeded = now
    for (const turn of running) if (turn.leasedUntil <= now) running.delete(turn)
    for (const queue of line.values()) for (const turn of queue) if (turn.leasedUntil <= now) leave(turn)
    while (line.size > 0 && running.size < isolate) {
      const next = nextInLine()
      if (!next) return
      leave(next)
      running.add(next)
      next.leasedUntil = now + lease
    }
  }

  function nextInLine(): Turn | undefined {
    const [websites, callers] = [new Map<string, number>(), new Map<string, number>()]
    for (const turn of running) {
      websites.set(turn.website, (websites.get(turn.website) ?? 0) + 1)
      callers.set(turn.caller, (callers.get(turn.caller) ?? 0) + 1)
    }
    const areFull = [false, true].map((mayRunOn) => isOpeningFull({ isOpening: true, mayRunOn }))
    let best: { turn: Turn; rank: Rank } | undefined
    for (const turn of [...line.values()].flatMap((queue) => [...queue])) {
      if (turn.isOpening && areFull[Number(turn.mayRunOn === true)]) continue
      const [its, own] = [websites.get(turn.website) ?? 0, callers.get(turn.caller) ?? 0]
      if (its >= website || own >= caller) continue
      const rank: Rank = [Number(turn.isOpening), its, own, turn.number]
      if (!best || isBefore(rank, best.rank)) best = { turn, rank }
    }
    return best?.turn
  }

  /** The refusal of a statement that may not wait, or not longer. */
  function refusal(asker: Asker): ApiError {
    const headers = { 'Retry-After': String(lease / 1000) }
    if (ofCaller(asker) >= caller) return new ApiError('too-many-requests', callerBusy, { headers })
    if (isOpeningFull(asker)) {
      return new ApiError('service-unavailable', openingsBusy, { headers })
    }
    const message = ofWebsite(running, asker) >= website ? websiteBusy : isolateBusy
    return new ApiError('service-unavailable', message, { headers })
  }

  /**
   * The time until a turn looks again: about as many milliseconds as turns go first, if each website has one at a time.
   * So the next ones look soon, and all looks together stay bounded.
   */
  function nextLook(turn: Turn): number {
    let before = 0
    for (const one of line.get(queueOf(turn)) ?? []) {
      if (one === turn || before >= longestLook) break
      before += line.size
    }
    for (const [first] of line.values()) if (first!.number < turn.number) before++
    return before
  }

  /** Waits until `proceed` has moved the turn from the line to those that run. */
  async function inLine(turn: Turn, { time, until, signal }: Wait): Promise<void> {
    const isOver = (): boolean => {
      const now = time()
      turn.leasedUntil = now + lease
      if (running.has(turn) || signal.aborted) return true
      // Its lease was over before its timers came.
      enter(turn)
      if (now - proceeded >= longestLook) proceed(now)
      return running.has(turn)
    }
    enter(turn)
    await lookUntil(isOver, Math.min(patience * 1000, until - time()), () => nextLook(turn))
    const isLate = time() >= until
    if (running.has(turn) && !signal.aborted && !isLate) return
    leave(turn)
    if (running.delete(turn)) proceed(time())
    throw signal.aborted ? signal.reason : isLate ? pastDeadline(new Error('It waited in line.')) : refusal(turn)
  }

  return async (asker, wait) => {
    const { time, until, signal } = wait
    signal.throwIfAborted()
    const now = time()
    if (now >= until) throw pastDeadline(new Error('It was reached before the statement began.'))
    const turn: Turn = { ...asker, number: taken++, leasedUntil: now + lease }
    proceed(now)
    const isFree = running.size < isolate && ofWebsite(running, asker) < website && ofCaller(asker) < caller
    if (isFree && !isOpeningFull(asker)) running.add(turn)
    else if (inLineBefore(asker) >= waiting) throw refusal(asker)
    else await inLine(turn, wait)
    const renewing = setInterval(() => {
      turn.leasedUntil = time() + lease
      running.add(turn)
    }, renewal)
    return () => {
      clearInterval(renewing)
      if (asker.mayRunOn && (signal.aborted || time() >= until)) turn.leasedUntil = time() + runsOn
      else running.delete(turn)
      proceed(time())
    }
  }
}

/** Lower numbers go first; the first ones decide. */
type Rank = readonly [opening: number, website: number, caller: number, number: number]

function isBefore(one: Rank, other: Rank): boolean {
  const place = one.findIndex((figure, index) => figure !== other[index])
  return place >= 0 && one[place]! < other[place]!
}

function count<Item>(all: Iterable<Item>, isCounted: (one: Item) => boolean): number {
  let number = 0
  for (const one of all) if (isCounted(one)) number++
  return number
}

const narrower = 'Narrow their ranges (startAt, endAt), add filters, or retry after Retry-After seconds.'
const callerBusy = `You have too many queries running. ${narrower}`
const websiteBusy = `Too many queries about this website are running. ${narrower}`
const openingsBusy = 'Too many queries through shares and public websites are running. Retry after Retry-After seconds.'
const isolateBusy = 'Too many queries are running. Retry after Retry-After seconds.'
