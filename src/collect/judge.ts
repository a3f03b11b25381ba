import type { Candidate, LogState, NewEvent, Verdict } from './candidate.ts'
import { utf8Length } from './characters.ts'
import type { BothClocks, LogClock } from './clock.ts'
import { WebsiteCounts } from './counts.ts'
import type { EventQuestion, FirstEvent, KnownEvent } from './event-question.ts'
import { IgnoredEvents } from './ignored.ts'
import type { Journal } from './journal.ts'
import { LastHour } from './last-hour.ts'
import { noId, type Remembered } from './packed.ts'
import { belongingIn } from './session.ts'
import type { EventAnswers } from './siblings.ts'
import { type Spreads, unspread } from './spread.ts'
import { type RunningVisits, withVisitsOf } from './visits.ts'

/** The parts of a log object that its judge uses. */
interface Bench {
  readonly clock: LogClock
  readonly visits: RunningVisits
  readonly journal: Journal
  /**
   * Events so late that their senders needed an API key. They are separate, so that other events never wait for them.
   */
  readonly old: Journal
  readonly spreads: Spreads
  /** The maximum number of bytes that may wait in each journal. */
  readonly capacity: number
}

/** Decides what happens to events: finds their visits, recognises repeats, and adds the others to a journal. */
export class Judge {
  readonly #bench: Bench
  readonly #counts = { repeats: 0, refused: 0, full: 0, ignored: 0 }
  readonly #bots = new WebsiteCounts()
  readonly #warnings = new WebsiteCounts()
  readonly #ignored = new IgnoredEvents()
  readonly lastHour: LastHour

  constructor(bench: Bench) {
    this.#bench = bench
    this.lastHour = new LastHour(bench.clock.wall())
  }

  /** The counts since the object was loaded. */
  get counts(): Pick<LogState, 'repeats' | 'refused' | 'full' | 'ignored' | 'bots' | 'warnings'> {
    return { ...this.#counts, bots: this.#bots.most(), warnings: this.#warnings.most() }
  }

  /** `kind`: the kind of the source with this id, if it exists; `known`: what other objects know about the event. */
  judge(candidate: Candidate, kind: string | undefined, known: EventAnswers, moment: BothClocks): Verdict {
    const now = moment.wall
    const { source, event, warnings = [], spread = unspread } = candidate
    if (kind !== source.kind) {
      this.#counts.refused++
      return 'unknown'
    }
    if (event === 'blocked') {
      this.lastHour.add(source.id, 'blocked', now)
      return 'ignored'
    }
    if (event === 'bot') {
      this.#bots.add(source.id, 1)
      this.lastHour.add(source.id, 'bots', now)
      return 'ignored'
    }
    const newest = this.#bench.spreads.of(source.id)
    if (spread.version < newest.version) return { moved: newest }
    if ('unanswered' in known) return known
    if (warnings.length > 0) this.#warnings.add(source.id, warnings.length)
    for (const field of warnings) this.lastHour.add(source.id, `warnings.${field}`, now)
    if (event.isIgnored) {
      this.#counts.ignored++
      this.lastHour.add(source.id, 'blocked', now)
      return this.#ignored.answer(source.id, event, known, now)
    }
    const ids = { sourceId: source.id, eventId: event.eventId ?? noId }
    const firsts = [this.#first(ids, moment), ...known.map(({ first }) => first)].filter((one) => one !== undefined)
    const first = firsts.find((one) => one !== 'undecided')
    if (!first && firsts.length > 0) return 'undecided'
    if (first && first.anonymousId === event.sender.anonymousId) {
      this.#counts.repeats++
      return first
    }
    const belonging = belongingIn(withVisitsOf(known, this.#bench.visits, now), event, now)
    // Event ids are visible in lists. If a sender repeats the id of another sender's event, nothing is stored, and the
    // response reveals nothing about that event.
    if (first) this.#counts.repeats++
    else if (event.row && !this.#store(event.row, event, { ...ids, ...belonging, at: moment.steady })) return 'full'
    return { ...belonging, at: event.lateAt === undefined ? now : undefined }
  }

  /** Stores a row and remembers its visit. Returns false if there is no room. */
  #store(row: NonNullable<NewEvent['row']>, event: NewEvent, seen: SeenEvent): boolean {
    const { sessionId, visitId } = seen
    const now = this.#bench.clock.wall()
    const visit = row.table === 'ingest' ? `,"visit_id":"${visitId}"` : ''
    const json = `${row.json.slice(0, -1)},"session_id":"${sessionId}"${visit}}`
    const bytes = utf8Length(json) + lineBreak
    const journal = event.isOld ? this.#bench.old : this.#bench.journal
    if (!journal.flushes.hasRoom(seen.sourceId, bytes, this.#bench.capacity)) {
      this.#counts.full++
      journal.flushes.tellFull(seen.sourceId)
      this.lastHour.add(seen.sourceId, 'full', now)
      return false
    }
    this.lastHour.add(seen.sourceId, 'stored', now)
    const isNow = event.lateAt === undefined
    const remembered: Remembered = { ...seen, anonymousId: event.sender.anonymousId, bytes, isNow }
    journal.add({ table: row.table, json }, remembered)
    if (isNow) this.#bench.visits.set({ ...remembered, at: now })
    return true
  }

  /** What this object knows about an event that another object received. */
  known(question: EventQuestion, now: BothClocks): KnownEvent {
    if (question.isIgnored) return this.#ignored.known(question, now.wall)
    return { first: this.#first(question, now), visits: this.#bench.visits.ofAll(question, now.wall) }
  }

  /** The event with this id, if it arrived in the last hour. */
  #first(
    { sourceId, eventId = noId }: Pick<EventQuestion, 'sourceId' | 'eventId'>,
    { wall, steady }: BothClocks,
  ): FirstEvent | undefined {
    if (eventId === noId) return undefined
    const ids = { sourceId, eventId }
    const found = this.#bench.journal.find(ids, steady) ?? this.#bench.old.find(ids, steady)
    if (!found) return undefined
    const { sessionId, visitId, anonymousId, owner, isNow, at } = found
    return { sessionId, visitId, anonymousId, owner, at: isNow ? at + wall - steady : undefined }
  }
}

const lineBreak = 1

type SeenEvent = Omit<Remembered, 'anonymousId' | 'bytes' | 'isNow'>
