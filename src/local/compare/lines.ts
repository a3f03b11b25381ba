import { dayOf } from '../../request/time-zone.ts'
import { number } from '../import/progress.ts'
import { printable } from '../told/printable.ts'
import type { Compared } from './compare.ts'

const results = ['equal', 'explained', 'different', 'not asked'] as const

/** A row for each question: in how many months, websites and zones the two systems agree. */
export function tableLines(all: readonly Compared[]): readonly string[] {
  const names = [...new Set(all.map(({ question }) => question))]
  const width = Math.max(...names.map((name) => name.length), 'question'.length)
  const row = (name: string, cells: readonly string[]): string =>
    [name.padEnd(width), ...cells.map((cell, at) => cell.padStart(results[at]!.length))].join('  ')
  const countOf = (own: readonly Compared[]) =>
    results.map((result) => number(own.filter((one) => one.result === result).length))
  return [
    row('question', results),
    ...names.map((name) => row(name, countOf(all.filter(({ question }) => question === name)))),
    row('all', countOf(all)),
  ]
}

/** The habits of Umami that explain differences, and how often each does. */
export function habitLines(all: readonly Compared[]): readonly string[] {
  const habits = all.flatMap((one) => one.habits.map((habit) => `${one.question}: ${habit}`))
  return [...new Set(habits)].map((habit) => `${habit} (${habits.filter((one) => one === habit).length})`)
}

/** How many are named, and how many figures of each. */
const mostNamed = 50
const mostFigures = 5

/** What differs, and what could not be asked: with the figures of both. */
export function differenceLines(all: readonly Compared[]): readonly string[] {
  const different = all.filter(({ result }) => result === 'different')
  const silent = new Set(all.flatMap(({ question, why }) => (why === undefined ? [] : [`${question}: ${why}`])))
  const lines = different.slice(0, mostNamed).map((one) => {
    const { zone, websiteId, startAt } = one.asked
    const figures = one.differences
      .slice(0, mostFigures)
      .map(({ figure, ours, theirs }) => `${printable(figure)} ${ours} here, ${theirs} in Umami`)
    const more = one.differences.length > mostFigures ? [`and ${one.differences.length - mostFigures} more`] : []
    return `${one.question}, ${dayOf(startAt, zone)} ${zone}, ${websiteId}: ${[...figures, ...more].join('; ')}`
  })
  const rest = different.length > mostNamed ? [`and ${different.length - mostNamed} more`] : []
  return [...lines, ...rest, ...silent]
}
