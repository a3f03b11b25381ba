import { startOfUnit } from '../../request/calendar.ts'
import type { System } from './asked.ts'
import { type Difference, habitOf, type Umami } from './habits.ts'
import { type Asked, type Figures, type Question, questions, revenueIn } from './questions.ts'

/** The result of comparing the two answers to one question. */
export interface Compared {
  readonly question: string
  readonly asked: Asked
  /** `not asked` means that one of the two systems does not answer it. */
  readonly result: 'equal' | 'explained' | 'different' | 'not asked'
  readonly habits: readonly string[]
  /** The first differing figures, and the number of further ones. */
  readonly differences: readonly Difference[]
  readonly more: number
  /** Why the question was not asked. */
  readonly why?: string
}

/** The months of a span in a zone; the first and the last may be incomplete. Both ends are included. */
export function monthsOf(since: number, until: number, zone: string): { startAt: number; endAt: number }[] {
  const months: { startAt: number; endAt: number }[] = []
  for (let [end, ago] = [until, 0]; end > since; ago++) {
    const startAt = startOfUnit('month', ago, until - 1, zone, since)
    months.unshift({ startAt: Math.max(since, startAt), endAt: end - 1 })
    end = Math.max(since, startAt)
  }
  return months
}

/** Asks both systems the same questions about a website, a month and a zone, one question at a time. */
export async function* compared(ours: System, theirs: System, umami: Umami, asked: Asked): AsyncGenerator<Compared> {
  const currencies = await currenciesOf(ours, asked)
  for (const question of [...questions, ...currencies.map(revenueIn)]) {
    const [own, other] = await Promise.all([answered(ours, question, asked), answered(theirs, question, asked)])
    const why = 'why' in own ? `Weir ${own.why}` : 'why' in other ? `Umami ${other.why}` : undefined
    if ('why' in own || 'why' in other) {
      yield { question: question.name, asked, result: 'not asked', habits: [], differences: [], more: 0, why: why! }
    } else yield resultOf(question, asked, umami, own.figures, other.figures)
  }
}

/** How many differing figures of a question are listed. */
const mostKept = 5

function resultOf(question: Question, asked: Asked, umami: Umami, ours: Figures, theirs: Figures): Compared {
  const found = differencesOf(question, ours, theirs).map((difference) => ({
    difference,
    habit: habitOf(difference, question, asked, umami),
  }))
  const open = found.filter(({ habit }) => habit === undefined)
  const result = found.length === 0 ? 'equal' : open.length === 0 ? 'explained' : 'different'
  return {
    ...{ question: question.name, asked, result },
    habits: [...new Set(found.flatMap(({ habit }) => habit ?? []))],
    differences: open.slice(0, mostKept).map(({ difference }) => difference),
    more: Math.max(0, open.length - mostKept),
  }
}

/** The figures that differ. If a list was truncated, rows missing from it do not count as differences. */
function differencesOf({ most }: Question, ours: Figures, theirs: Figures): Difference[] {
  const isCut = (figures: Figures) => most !== undefined && Object.keys(figures).length >= most
  const isUnknown = (figure: string) =>
    (!Object.hasOwn(ours, figure) && isCut(ours)) || (!Object.hasOwn(theirs, figure) && isCut(theirs))
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
    .filter((figure) => !isUnknown(figure) && (ours[figure] ?? 0) !== (theirs[figure] ?? 0))
    .map((figure) => ({ figure, ours: ours[figure] ?? 0, theirs: theirs[figure] ?? 0 }))
}

async function answered(
  system: System,
  question: Question,
  asked: Asked,
): Promise<{ figures: Figures } | { why: string }> {
  const { path, query, former, report, read } = question
  const range = { startAt: String(asked.startAt), endAt: String(asked.endAt), timezone: asked.zone }
  const get = (more: Readonly<Record<string, string>> = {}) =>
    system.ask(`/websites/${asked.websiteId}/${path}?${new URLSearchParams({ ...range, ...more })}`)
  let answer = await (report ? system.ask(`/reports/${path}`, reportBody(path, report, asked)) : get(query))
  if ('status' in answer && answer.status === 400 && former) answer = await get(former)
  if ('status' in answer) return { why: answer.status === 200 ? 'does not answer JSON' : `answers ${answer.status}` }
  try {
    return { figures: read(answer.body, asked) }
  } catch {
    return { why: 'answers in another format' }
  }
}

const reportBody = (type: string, parameters: object, { websiteId, startAt, endAt, zone }: Asked): object => ({
  ...{ websiteId, type, filters: {} },
  parameters: {
    ...{ startDate: new Date(startAt).toISOString(), endDate: new Date(endAt).toISOString() },
    ...{ timezone: zone, unit: 'day', ...parameters },
  },
})

/** The maximum number of currencies to compare in a range. */
const mostCurrencies = 5

async function currenciesOf(ours: System, { websiteId, startAt, endAt }: Asked): Promise<string[]> {
  const answer = await ours.ask(`/websites/${websiteId}/revenue/currencies?startAt=${startAt}&endAt=${endAt}`)
  if (!('body' in answer) || !Array.isArray(answer.body)) return []
  return answer.body
    .flatMap((row: { currency?: unknown }) => (typeof row.currency === 'string' ? [row.currency] : []))
    .slice(0, mostCurrencies)
}
