import { hasWholeHours } from '../../request/time-zone.ts'
import type { Asked, Question } from './questions.ts'

/** A figure that differs between the two systems. */
export interface Difference {
  readonly figure: string
  readonly ours: number
  readonly theirs: number
}

/** Facts about the other system. */
export interface Umami {
  /** `3.1.0`; undefined if the system does not report it. */
  readonly version: string | undefined
}

interface Habit {
  readonly name: string
  explains(difference: Difference, question: Question, asked: Asked, umami: Umami): boolean
}

/** The count from which ClickHouse's `uniq` is inexact, and its largest relative error. */
const estimatedFrom = 10_000
const mostError = 0.02

const isCount = (question: Question, figure: string): boolean =>
  /^(metrics (?!event)|sessions)/.test(question.name) ||
  /^(visitors|visits|bounces|sessions |unique_count|total_sessions)/.test(figure)

/** Reasons why Umami's figures differ. Each reason matches as few differences as possible. */
const habits: readonly Habit[] = [
  {
    name: 'It estimates distinct counts.',
    explains: ({ figure, ours, theirs }, question) =>
      isCount(question, figure) &&
      Math.max(ours, theirs) >= estimatedFrom &&
      Math.abs(ours - theirs) <= mostError * Math.max(ours, theirs),
  },
  {
    name: 'Its sums cover whole hours of UTC, so ranges differ in zones with half-hour offsets.',
    explains: (_, question, asked) =>
      /^(statistics|series|sessions|metrics)/.test(question.name) && !hasWholeHours(asked.zone, asked),
  },
  {
    name: 'A visit may have several sessions, such as one before and one after `identify`.',
    explains: ({ figure, ours, theirs }, { name }) =>
      /^(statistics|sessions)$/.test(name) && figure === 'visits' && ours > theirs && ours <= 1.5 * theirs,
  },
  {
    name: 'Before 3.3, a visit with a custom event is a bounce.',
    explains: ({ figure, ours, theirs }, { name }, _, { version }) =>
      name === 'statistics' && figure === 'bounces' && theirs > ours && isBefore(version, 3, 3),
  },
  {
    name: 'It computes the channel of each view, not of the visit.',
    explains: (_, { name }) => name === 'metrics channel',
  },
  {
    name: 'It has one entry and one exit per session, not per visit.',
    explains: (_, { name }) => name === 'metrics entry' || name === 'metrics exit',
  },
  {
    name: 'It cuts languages to two letters.',
    explains: ({ figure }, { name }) => name === 'metrics language' && /^[a-z]{2,3}$/i.test(figure),
  },
  {
    name: 'It counts sessions without a country as a country.',
    explains: ({ figure, ours, theirs }, { name }) =>
      name === 'sessions' && figure === 'countries' && theirs === ours + 1,
  },
  {
    name: 'It counts each property whose key contains "revenue" as a sale.',
    explains: ({ figure, ours, theirs }, { name }) =>
      name.startsWith('revenue ') && /^(sum|count)$/.test(figure) && theirs > ours,
  },
  {
    name: 'It counts time in whole seconds for each visit.',
    explains: ({ figure, ours, theirs }, { name }) =>
      name === 'statistics' && figure === 'totaltime' && Math.abs(ours - theirs) <= 0.001 * Math.max(ours, theirs),
  },
]

/** Whether a version is older than this one. An unknown version counts as older. */
function isBefore(version: string | undefined, major: number, minor: number): boolean {
  const [, first, second] = /^v?(\d{1,4})\.(\d{1,4})/.exec(version ?? '') ?? []
  if (first === undefined) return true
  return Number(first) < major || (Number(first) === major && Number(second) < minor)
}

/** The habit that explains a difference; undefined if there is none. */
export const habitOf = (difference: Difference, question: Question, asked: Asked, umami: Umami): string | undefined =>
  habits.find((habit) => habit.explains(difference, question, asked, umami))?.name
