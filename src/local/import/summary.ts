import { duration, inWords, number } from './progress.ts'
import type { Import, Sums } from './run.ts'
import { type Plan, rowsOfPlan } from './sections.ts'
import { type Kind, kinds } from './source.ts'

/** Rough measurements: the bytes that one row takes on disk, in all tables together, and rows imported per second. */
const costs: Readonly<Record<Kind, { readonly bytes: number; readonly rate: number }>> = {
  events: { bytes: 200, rate: 10_000 },
  sessionData: { bytes: 60, rate: 20_000 },
  replays: { bytes: 3000, rate: 300 },
  heatmaps: { bytes: 30, rate: 20_000 },
}

/** Lines about the data to import, its size on disk, and the expected time. */
export function dryRunLines({ sections }: Plan): readonly string[] {
  let seconds = 0
  const lines = kinds.flatMap((kind) => {
    const own = sections.filter((section) => section.kind === kind)
    const rows = own.reduce((sum, { count }) => sum + count, 0)
    if (rows === 0) return []
    const websites = new Set(own.flatMap(({ websiteIds }) => websiteIds)).size
    seconds += rows / costs[kind].rate
    return [
      `${inWords[kind]}: ${number(rows)} rows of ${websites} websites, about ${size(rows * costs[kind].bytes)} here`,
    ]
  })
  return lines.length === 0 ? ['There is nothing to import.'] : [...lines, `It may take ${duration(seconds)}.`]
}

/** Lines about recordings older than this installation keeps. */
export const leftOutLines = ({ leftOut }: Plan): readonly string[] =>
  (['replays', 'heatmaps'] as const).flatMap((kind) =>
    leftOut[kind] === 0 ? [] : [`${inWords[kind]}: ${number(leftOut[kind])} left out, too old to be kept here`],
  )

/** The outcome of this run, by kind. */
export function sumLines({ sums, state }: Import, plan: Plan): readonly string[] {
  const inserted = [...sums.values()].reduce((sum, one) => sum + one.inserted, 0)
  const lines = kinds.flatMap((kind) => {
    const own = sums.get(kind)
    return own ? [`${inWords[kind]}: ${sumOf(own)}`] : []
  })
  const last = inserted === 0 ? [`Nothing is new: all ${number(rowsOfPlan(plan))} rows were imported before.`] : []
  const refused = plan.sections.some(({ name }) => state.of(name).refused > 0)
    ? [`Refused rows: ${state.refusedFile}`]
    : []
  return [...lines, ...refused, ...last]
}

const sumOf = ({ inserted, present, refused }: Sums): string =>
  [
    `${number(inserted)} imported`,
    ...(present > 0 ? [`${number(present)} were there already`] : []),
    ...(refused > 0 ? [`${number(refused)} refused`] : []),
  ].join(', ')

function size(bytes: number): string {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${['bytes', 'kB', 'MB', 'GB'][power]}`
}
