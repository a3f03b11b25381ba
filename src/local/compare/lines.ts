import { dayOf } from '../../request/time-zone.ts'
import { number } from '../import/progress.ts'
import { printable } from '../told/printable.ts'
import type { Compared } from './compare.ts'

const results = ['equal', 'explained', 'different', 'not asked'] as const

/** Tables that show how often the two systems agree, by question and by website, zone and month. */
export const tableLines = (all: readonly Compared[]): readonly string[] => [
  ...tableBy('question', ({ question }) => question, all),
  '',
  ...tableBy('website, zone, from', ({ asked }) => placeOf(asked), all),
]

const placeOf = ({ websiteId, zone, startAt }: Compared['asked']): string =>
  `${websiteId} ${zone} ${dayOf(startAt, zone)}`

function tableBy(title: string, nameOf: (one: Compared) => string, all: readonly Compared[]): string[] {
  const groups = new Map<string, Compared[]>()
  for (const one of all) {
    const group = groups.get(nameOf(one)) ?? []
    group.push(one)
    groups.set(nameOf(one), group)
  }
  const width = Math.max(title.length, ...[...groups.keys()].map((name) => name.length))
  const row = (name: string, cells: readonly string[]): string =>
    [name.padEnd(width), ...cells.map((cell, at) => cell.padStart(results[at]!.length))].join('  ')
  const countsIn = (own: readonly Compared[]) =>
    results.map((result) => number(own.filter((one) => one.result === result).length))
  return [row(title, results), ...[...groups].map(([name, own]) => row(name, countsIn(own))), row('all', countsIn(all))]
}

/** The habits of Umami that explain differences, with counts. */
export function habitLines(all: readonly Compared[]): readonly string[] {
  const habits = all.flatMap((one) => one.habits.map((habit) => `${one.question}: ${habit}`))
  return [...new Set(habits)].map((habit) => `${habit} (${habits.filter((one) => one === habit).length})`)
}

/** How many differences are listed. */
const mostNamed = 50

/** Lines for differences, with both figures, and for questions that could not be asked. */
export function differenceLines(all: readonly Compared[]): readonly string[] {
  const different = all.filter(({ result }) => result === 'different')
  const silent = new Set(all.flatMap(({ question, why }) => (why === undefined ? [] : [`${question}: ${why}`])))
  const lines = different.slice(0, mostNamed).map(({ question, asked, differences, more }) => {
    const figures = differences.map(
      ({ figure, ours, theirs }) => `${printable(figure)} ${ours} here, ${theirs} in Umami`,
    )
    return `${question}, ${placeOf(asked)}: ${[...figures, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`
  })
  const rest = different.length > mostNamed ? [`and ${different.length - mostNamed} more`] : []
  return [...lines, ...rest, ...silent]
}
