import * as z from 'zod'
import { chainAnswer } from '../chains/answer.ts'
import { notesFor, wantedFor } from '../chains/known.ts'
import { areLatest, areNotedCounts, type Notes } from '../chains/notes.ts'
import {
  apart,
  areVisitors,
  type ChainAnswer,
  type ChainPart,
  checks,
  type FigureName,
  onlyFigures,
  PartRow,
  unionOfParts,
} from '../chains/parts.ts'
import { columnsOf, namedAs } from '../language/named-columns.ts'
import { anyOfSeries, ascending, atMost, descending, limitTo, longestSeries, order, slice } from '../language/order.ts'
import type { Selection } from '../language/scope.ts'
import { alias, all, commaList, compile, type Fragment, having, sql } from '../language/sql.ts'
import type { CheaperStatement, Result, Source, Statement } from '../language/statement.ts'
import { anyContains } from '../language/text.ts'
import { hourlyVisits } from '../tables/tables.ts'
import { addedUp, type CountedRow, mostAdded } from './added.ts'
import { chainedMetric, isByCountry } from './breakdowns.ts'
import { type CountedBy, type Counting, type ListedMetric, wholeOf } from './whole.ts'

/**
 * Creates the statement that counts. Only this function chooses between events, hours and sealed hours. Rows have the
 * figures as `f_NAME`, the key as `f_x`, and `f_country` if equal values in different countries are counted separately.
 *
 * @example counted({ scope, period, filters }, { of: 'views', figures: ['visitors', 'bounces'] })
 */
export function counted<Name extends FigureName>(
  selection: Selection,
  question: Counting<Name>,
): Statement<CountedRow<Name>> {
  const { columns, from } = wholeOf(selection, question)
  const whole = {
    body: sql`select ${namedAs(columnsOf(columns))} ${from} ${tailOf(question)}`,
    row: () => rowOf(question) as unknown as z.ZodType<CountedRow<Name>>,
  }
  const answer = answerOf(selection, question)
  if (!answer) return { ...whole, sources: sourcesOf(whole, 'No chain knows these figures, filters and range.') }
  const notes = notesFor(answer)
  const wants = wantedFor(answer)
  if (typeof notes === 'string') return { ...whole, wants, sources: sourcesOf(whole, notes) }
  const cheaper = byChains(question, answer, notes, selection).filter(({ name }) => !isLeftOut(selection, name))
  if (cheaper.length === 0) return { ...whole, wants, sources: sourcesOf(whole, 'The seals changed recently.') }
  return { ...whole, wants, cheaper, sources: [{ source: 'sealed hours' }] }
}

const isLeftOut = ({ scope }: Selection, name: string | undefined): boolean =>
  name !== undefined && scope.known?.failed.has(name) === true

/** Chains can only answer metrics whose values they store. They can count visits only by attributes of the visitor. */
function answerOf(selection: Selection, { of, by, figures }: Counting<FigureName>): ChainAnswer | undefined {
  if (by?.kind !== 'metric') return chainAnswer(selection, { of, by, figures })
  const metric = chainedMetric(by.type)
  const isChained = metric?.kind === 'client' || areVisitors(figures)
  return metric && isChained ? chainAnswer(selection, { of, by: metric, figures }) : undefined
}

const [x, country, visitors, visits] = [alias('x'), alias('country'), alias('visitors'), alias('visits')]

const keysOf = ({ type }: ListedMetric): readonly Fragment[] => (isByCountry(type) ? [x, country] : [x])

/** Conditions on a value in a list. */
const isListed = ({ search }: ListedMetric) => [sql`${x} != ''`, anyContains(search, x)]

/** The grouping, order and limit of the rows. */
function tailOf({ by, figures }: Counting<FigureName>): Fragment {
  switch (by?.kind) {
    case undefined:
      return sql``
    case 'bucket':
      return sql`group by ${x} ${longestSeries(x)}`
    case 'hour of week':
      return sql`group by ${x} ${limitTo(order([ascending(x)]), 168)}`
    case 'metric': {
      const keys = keysOf(by)
      const ranked = [descending(visitors), ...(figures.includes('visits') ? [descending(visits)] : [])]
      return sql`
        group by ${commaList(keys)}
        ${having(...isListed(by), sql`${visitors} > 0`)}
        ${slice(order([...ranked, ...keys.map(ascending)]), by.slice)}`
    }
  }
}

const rowOf = ({ by, figures }: Counting<FigureName>) =>
  z.object({
    ...(by && { f_x: z.string() }),
    ...(by?.kind === 'metric' && isByCountry(by.type) && { f_country: z.string() }),
    ...Object.fromEntries(figures.map((name) => [`f_${name}`, z.number()])),
  })

/**
 * The sources of the figures: first sealed hours, with the reason why they were not used, then the source that was
 * used.
 */
const sourcesOf = ({ body }: { readonly body: Fragment }, refused: string): readonly Source[] => {
  const sealed = { source: 'sealed hours', refused } as const
  if (compile(body).tables.includes(hourlyVisits.name)) return [sealed, { source: 'hours' }]
  return [
    sealed,
    { source: 'hours', refused: 'The range is short, or a filter or a value needs the events.' },
    { source: 'events' },
  ]
}

/**
 * Several parts run concurrently. A check then shows whether they were correct: deleted rows of a seal never return, so
 * rows that exist at the check also existed before. A single part checks itself, and so do parts that read rows of
 * days, and all parts if replication may deliver rows meanwhile. If a part that checks itself has no rows, another
 * statement has to answer. ClickHouse adds up lists that are too long for the Worker.
 *
 * On shards, every check comes afterwards, perhaps from another replica. There, all replicas have the rows of a seal
 * before its note, and a later note before they delete these rows.
 */
function byChains<Name extends FigureName>(
  question: Counting<Name>,
  { sealed, parts: partsOf }: ChainAnswer,
  notes: Notes,
  { scope }: Selection,
): readonly CheaperStatement<CountedRow<Name>>[] {
  const { by, figures } = question
  const parts = partsOf(notes).map((part) => onlyFigures(part, figures))
  const areThere = parts.flatMap(({ chains }) => chains.flatMap((chain) => chain.areThere ?? []))
  const { areOfShards, isReplicated } = notes
  const about = [notes, sealed.whole, scope] as const
  const conditions = [...new Set(areThere), areNotedCounts(...about), ...(areOfShards ? [areLatest(...about)] : [])]
  const name = `chains ${sealed.whole.startAt} ${sealed.whole.endAt}`
  const isEach = !areOfShards && (parts.length === 1 || isReplicated === 1)
  const afterwards = checks(conditions)
  const judging = parts.map(({ chains, isSure }) => isSure !== undefined || (isEach && chains.length > 0))
  const added: CheaperStatement<CountedRow<Name>> = {
    statements: parts.map((part) => ({
      body: apart(part, tailOfPart(by), ...(isEach ? conditions : [])),
      row: PartRow,
    })),
    ...(!isEach && { checks: afterwards }),
    result: (results) => addedUp(results, question, judging),
    name: by?.kind === 'metric' ? `parts of ${by.type}` : name,
  }
  if (by?.kind !== 'metric') return [added]
  const one = inOne(question, by, parts, areOfShards ? [] : conditions)
  return [added, { ...one, ...(areOfShards && { checks: afterwards }), name }]
}

/**
 * The condition and limit for a part's rows. A row without a value is not counted, but is needed to tell whether its
 * part is correct.
 */
function tailOfPart(by: CountedBy | undefined): Fragment {
  if (by?.kind === 'bucket') return anyOfSeries
  return by?.kind === 'metric' ? sql`${having(anyContains(by.search, x))} ${atMost(mostAdded + 1)}` : sql``
}

function inOne<Name extends FigureName>(
  question: Counting<Name>,
  by: ListedMetric,
  parts: readonly ChainPart[],
  conditions: readonly Fragment[],
): CheaperStatement<CountedRow<Name>> {
  const nation = isByCountry(by.type) ? sql`${alias('of_country')} as ${country},` : sql``
  const sums = question.figures.map((name) => sql`toInt64(sum(${alias(`of_${name}`)})) as ${alias(name)}`)
  const isJudged = parts.some(({ isSure }) => isSure) ? [sql`max(max(isJudged)) over () = 1`] : []
  const body = sql`
    select ${alias('of_x')} as ${x}, ${nation} ${commaList(sums)},
      toUInt8(${all(...conditions, ...isJudged, sql`min(min(isSure)) over ()`)}) as areSure
    ${unionOfParts(parts)} ${tailOf(question)}`
  const row = () => rowOf(question).extend({ areSure: z.number() })
  return {
    statements: [{ body, row }],
    result([list]: readonly Result<{ readonly areSure: number }>[]) {
      const { rows, total } = list!
      const shown = rows.map(({ areSure: _, ...row }) => row) as unknown as readonly CountedRow<Name>[]
      return rows[0]?.areSure ? { rows: shown, total } : undefined
    },
  }
}
