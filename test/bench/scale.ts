import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Stored } from './data-set.ts'
import type { ReportCost } from './each-report.ts'
import { type Column, fixed, table, whole } from './print.ts'

/** The part that is used here of a file that `npm run bench -- --only each-report --json FILE` writes. */
export interface Run {
  readonly Storage: Stored
  readonly 'Every report': readonly Pick<ReportCost, 'endpoint' | 'filter' | 'range' | 'processor'>[]
}

/** The processor milliseconds of a question over a range, from the fewest events to the most. */
interface Curve {
  readonly question: string
  readonly filter: ReportCost['filter']
  readonly range: string
  readonly points: readonly { readonly events: number; readonly cost: number }[]
}

/**
 * The curves of the questions that were also run with a filter. A cost below 1 counts as 1, because of the logarithmic
 * axis.
 */
function curvesOf(runs: readonly Run[]): Curve[] {
  const costs = runs.flatMap(({ Storage: { events }, 'Every report': cells }) =>
    cells.map(({ processor, ...cell }) => ({ ...cell, events, cost: Math.max(1, processor) })),
  )
  const isSame = (one: (typeof costs)[number]) => (other: (typeof costs)[number]) =>
    one.endpoint === other.endpoint && one.filter === other.filter && one.range === other.range
  return costs
    .filter((one) => costs.some(({ endpoint, filter }) => endpoint === one.endpoint && filter !== 'none'))
    .filter((one, place, all) => all.findIndex(isSame(one)) === place)
    .map((one) => ({ ...one, question: one.endpoint, points: costs.filter(isSame(one)) }))
}

/**
 * The factor by which the cost grows for ten times the events, from the last two points, where fixed costs matter
 * least.
 */
function growthOf({ points }: Curve): string {
  const [before, last] = points.slice(-2)
  return last ? ` ×${fixed((last.cost / before!.cost) ** (1 / Math.log10(last.events / before!.events)))}` : ''
}

const ofStorage: Column<Stored>[] = [
  { heading: 'events', write: ({ events }) => whole(events) },
  {
    heading: 'bytes each',
    write: ({ events, tables }) => fixed(tables.weir.reduce((sum, { bytes }) => sum + bytes, 0) / events),
  },
  { heading: 'inserted a second', write: ({ events, seconds }) => whole(events / seconds.weir) },
  {
    heading: 'sealing, s a million',
    write: ({ events, sealing }) => (sealing === undefined ? '–' : fixed((1e6 * sealing) / events)),
  },
]

/** The tables and the picture of docs/scale.md. */
export function scaleOf(files: readonly Run[]): { readonly tables: string; readonly picture: string } {
  const runs = files.toSorted((one, other) => one.Storage.events - other.Storage.events)
  const curves = curvesOf(runs)
  const [questions, ranges] = [[...new Set(curves.map(labelOf))], [...new Set(curves.map(({ range }) => range))]]
  const columns: Column<string>[] = [
    { heading: 'question', isText: true, write: (question) => question },
    ...ranges.map((range) => ({
      heading: range,
      write: (question: string) => {
        const found = curves.find((one) => labelOf(one) === question && one.range === range)
        return found ? found.points.map(({ cost }) => whole(cost)).join('/') + growthOf(found) : ''
      },
    })),
  ]
  const storage = table(
    ofStorage,
    runs.map(({ Storage }) => Storage),
  )
  return { tables: `${storage}\n\n${table(columns, questions)}`, picture: pictureOf(curves, ranges) }
}

const nameOf = (question: string): string => question.replace('metrics?type=', '')

const labelOf = ({ question, filter }: Curve): string =>
  `\`${nameOf(question)}\`${filter === 'none' ? '' : ', filtered'}`

/** Grey and the curves' colours are visible on white and on black. */
const [side, margin, grey] = [250, 60, '#76808a']

/**
 * A chart with logarithmic axes for each range, with the eight most expensive questions. Curves of filtered ones are
 * dashed.
 */
function pictureOf(all: readonly Curve[], ranges: readonly string[]): string {
  const dearest = all.toSorted((one, other) => other.points.at(-1)!.cost - one.points.at(-1)!.cost)
  const questions = [...new Set(dearest.map(({ question }) => question))].slice(0, 8)
  const curves = all.filter(({ question }) => questions.includes(question))
  const colourOf = (question: string) => `oklch(.62 .16 ${(360 * questions.indexOf(question)) / questions.length})`
  const points = curves.flatMap((curve) => curve.points)
  const [x, y] = [axisOf(points.map(({ events }) => events)), axisOf(points.map(({ cost }) => cost))]
  const text = (left: number, top: number, words: string, anchor = 'start', colour = grey) =>
    `<text x="${left}" y="${top}" text-anchor="${anchor}" fill="${colour}">${words}</text>`
  const line = (d: string, colour: string, more = '') => `<path d="M${d}" stroke="${colour}" ${more}/>`
  const [width, bottom] = [margin + ranges.length * (side + margin), margin + side]
  const panels = ranges.flatMap((range, place) => {
    const left = margin + place * (side + margin)
    const paths = curves.filter((one) => one.range === range)
    return [
      text(left, margin - 16, `${range}: processor ms by number of events`),
      ...y.ticks.map((cost) => line(`${left} ${bottom - y.at(cost)}h${side}`, grey, 'opacity=".3"')),
      ...y.ticks.map((cost) => text(left - 6, bottom + 4 - y.at(cost), whole(cost), 'end')),
      ...x.ticks.map((events) => text(left + x.at(events), bottom + 18, `${whole(events / 1e6)} M`, 'middle')),
      ...paths.map(({ question, filter, points }) => {
        const d = points.map(({ events, cost }) => `${left + x.at(events)} ${bottom - y.at(cost)}`).join('L')
        return line(d, colourOf(question), filter === 'none' ? '' : 'stroke-dasharray="4 3"')
      }),
    ]
  })
  const names = questions.map((question, place) =>
    text(margin + (place % 2) * 170, bottom + 50 + 18 * (place >> 1), nameOf(question), 'start', colourOf(question)),
  )
  const height = bottom + 50 + 18 * Math.ceil(questions.length / 2)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" \
fill="none" stroke-width="1.6">\n<title>Processor time by number of events</title>\n${[...panels, ...names].join('\n')}\n</svg>\n`
}

/** The powers of ten around these values, and the position of a value on the axis. */
function axisOf(values: readonly number[]) {
  const [from, to] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))]
  const ticks = Array.from({ length: to - from + 1 }, (_, step) => 10 ** (from + step))
  return { ticks, at: (value: number) => Math.round((side * (Math.log10(value) - from)) / (to - from || 1)) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { tables, picture } = scaleOf(
    process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')) as Run),
  )
  writeFileSync(new URL('../../docs/pictures/scale.svg', import.meta.url), picture)
  console.log(tables)
}
