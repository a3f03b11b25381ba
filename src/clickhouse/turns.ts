import { ApiError, pastDeadline } from '../errors.ts'
import { madeFor } from '../made.ts'
import { lease, longestLook, until as lookUntil, renewal } from '../until.ts'

/** How many statements an isolate runs at the same time, and how many may wait in line. */
export interface TurnLimits {
  /** For all websites and callers together. */
  readonly isolate: number
  readonly website: number
  /** For one caller, across all websites. */
  readonly caller: number
  /** For one caller and one website: a quarter of `website`. */
  readonly callerOfWebsite: number
  /** For all readers of shares and public websites together. */
  readonly openings: number
  /**
   * How many statements about one website may wait. Those of readers of shares and public websites are counted
   * separately.
   */
  readonly waiting: number
  /** The maximum wait, in seconds. */
  readonly patience: number
}

export const defaultLimits: TurnLimits = {
  isolate: 64,
  website: 16,
  caller: 32,
  callerOfWebsite: 4,
  openings: 2,
  waiting: 500,
  patience: 10,
}

/** The variable `CONCURRENCY`. `cores`, the server's number of cores, determines `isolate` unless that is given too. */
export type Concurrency = Readonly<Partial<Record<keyof TurnLimits | 'cores', unknown>>>

/** The number of statements per core. It is above 1 because some statements wait for a disk. */
const turnsOfCore = 4
const fewestTurns = 8

/** The limits in the variable `CONCURRENCY`. A limit that is missing or is not a positive number gets its default. */
export function turnLimits(given: Concurrency = {}): TurnLimits {
  const cores = Number(given.cores)
  const isolate = cores > 0 ? Math.max(fewestTurns, Math.floor(turnsOfCore * cores)) : defaultLimits.isolate
  const limits = Object.entries({ ...defaultLimits, isolate }).map(([name, figure]) => {
    const own = Number(given[name as keyof TurnLimits])
    return [name, own > 0 ? own : figure]
  })
  return Object.fromEntries(limits) as TurnLimits
}

/** The website that the statement reads, and its caller's account. */
export interface Asker {
  readonly website: string
  readonly caller: string
  /** Whether the caller uses a share or a public website. */
  readonly isOpening: boolean
  /**
   * Whether ClickHouse may keep running the statement after the request has ended, because it matches such a reader's
   * patterns.
   */
  readonly mayRunOn?: boolean
}

/**
 * How long a cancelled statement that may still be running keeps its turn, in milliseconds. ClickHouse stops it between
 * two blocks, and the Worker cannot know when.
 */
const runsOn = 30_000

interface Wait {
  /** In milliseconds since 1970. */
  readonly time: () => number
  /** The deadline of the request, in milliseconds since 1970. */
  readonly until: number
  /** If it aborts, the statement leaves the line. */
  readonly signal: AbortSignal
  /**
   * Called when the turn has come or will come soon: from now on, the work runs to completion even if its caller
   * disconnects. Before that, the platform may drop it with the caller's request; its place is then free once its lease
   * ends.
   */
  readonly stay: () => void
}

/** The name of the caller's queue. Callers in the same queue wait for the same turns. */
const queueOf = ({ isOpening, website }: Asker): string => (isOpening ? 'openings' : website)

/** A statement that is running or waiting in line. */
interface Turn extends Asker {
  /** Turns requested later have higher numbers. */
  readonly number: number
  /** When its lease ends, in milliseconds since 1970. */
  leasedUntil: number
}

/** Takes a turn for a statement. Resolves to a function that ends the turn. */
export type TakeTurn = (asker: Asker, wait: Wait) => Promise<() => void>

/**
 * An isolate's queue. Readers with their own rights go first. Among them, the next turn goes to the website with the
 * fewest running statements, then to its caller with the fewest.
 */
export function turns(limits: TurnLimits): TakeTurn {
  const { isolate, website, caller, callerOfWebsite, openings, waiting, patience } = limits
  const running = new Set<Turn>()
  /** The waiting turns, in one queue per website and one for all readers of shares and public websites. */
  const line = new Map<string, Set<Turn>>()
  let [taken, proceeded] = [0, 0]

  const ofWebsite = (some: ReadonlySet<Turn>, one: Asker): number => count(some, (turn) => turn.website === one.website)
  const ofCaller = (one: Asker): number => count(running, (turn) => turn.caller === one.caller)
  const isSame = (turn: Asker, one: Asker): boolean => turn.caller === one.caller && turn.website === one.website
  /** Whether the caller must wait for their own running statements. */
  const isCallerFull = (one: Asker): boolean =>
    ofCaller(one) >= caller || count(running, (turn) => isSame(turn, one)) >= callerOfWebsite
  /**
   * Whether a reader of a share or a public website must wait for other such readers. Statements with patterns leave
   * one turn to statements without patterns.
   */
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

  /** Starts every turn that can start. */
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
    const [websites, callers, both] = [
      tally(running, ofItsWebsite),
      tally(running, ofItsCaller),
      tally(running, ofBoth),
    ]
    const areFull = [false, true].map((mayRunOn) => isOpeningFull({ isOpening: true, mayRunOn }))
    let best: { turn: Turn; rank: Rank } | undefined
    for (const turn of [...line.values()].flatMap((queue) => [...queue])) {
      if (turn.isOpening && areFull[Number(turn.mayRunOn === true)]) continue
      const [its, own] = [websites.get(turn.website) ?? 0, callers.get(turn.caller) ?? 0]
      if (its >= website || own >= caller || (both.get(ofBoth(turn)) ?? 0) >= callerOfWebsite) continue
      const rank: Rank = [Number(turn.isOpening), its, own, turn.number]
      if (!best || isBefore(rank, best.rank)) best = { turn, rank }
    }
    return best?.turn
  }

  /** The error for a statement that may not wait, or may not wait any longer. */
  function refusal(asker: Asker): ApiError {
    const headers = { 'Retry-After': String(lease / 1000) }
    if (isCallerFull(asker)) return new ApiError('too-many-requests', callerBusy, { headers })
    if (isOpeningFull(asker)) {
      return new ApiError('service-unavailable', openingsBusy, { headers })
    }
    const message = ofWebsite(running, asker) >= website ? websiteBusy : isolateBusy
    return new ApiError('service-unavailable', message, { headers })
  }

  /**
   * The time until a turn polls again: about one millisecond for each turn ahead of it, if each website gets one turn
   * at a time. The next turns therefore poll soon, while the number of polls stays bounded.
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

  /** Whether the turn is among the caller's next `callerOfWebsite` statements about the website. */
  function comesSoon(turn: Turn): boolean {
    let before = 0
    for (const one of line.get(queueOf(turn)) ?? []) {
      if (one === turn || before >= callerOfWebsite) break
      if (isSame(one, turn)) before++
    }
    return before < callerOfWebsite
  }

  /** Waits until `proceed` has moved the turn from the line to the running turns. */
  async function inLine(turn: Turn, { time, until, signal, stay }: Wait): Promise<void> {
    const isOver = (): boolean => {
      if (comesSoon(turn)) stay()
      const now = time()
      turn.leasedUntil = now + lease
      if (running.has(turn) || signal.aborted) return true
      // The lease expired before the timers fired.
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
    throw signal.aborted
      ? signal.reason
      : isLate
        ? pastDeadline(new Error('The statement was still waiting in line.'))
        : refusal(turn)
  }

  return async (asker, wait) => {
    const { time, until, signal } = wait
    signal.throwIfAborted()
    const now = time()
    if (now >= until) throw pastDeadline(new Error('The deadline passed before the statement began.'))
    const turn: Turn = { ...asker, number: taken++, leasedUntil: now + lease }
    proceed(now)
    const isFree = running.size < isolate && ofWebsite(running, asker) < website && !isCallerFull(asker)
    if (isFree && !isOpeningFull(asker)) running.add(turn)
    else if (inLineBefore(asker) >= waiting) throw refusal(asker)
    else await inLine(turn, wait)
    wait.stay()
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

/** Lower numbers go first. Earlier elements take precedence. */
type Rank = readonly [opening: number, website: number, caller: number, number: number]

function isBefore(one: Rank, other: Rank): boolean {
  const place = one.findIndex((figure, index) => figure !== other[index])
  return place >= 0 && one[place]! < other[place]!
}

const ofItsWebsite = ({ website }: Asker): string => website
const ofItsCaller = ({ caller }: Asker): string => caller
const ofBoth = ({ website, caller }: Asker): string => `${website} ${caller}`

/** Counts the items for each key. */
function tally(all: Iterable<Asker>, keyOf: (one: Asker) => string): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const one of all) numbers.set(keyOf(one), (numbers.get(keyOf(one)) ?? 0) + 1)
  return numbers
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
