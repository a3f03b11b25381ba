import { compile } from '../../src/query/language/sql.ts'
import { tables } from '../../src/query/tables/tables.ts'
import { planOf, type Question } from './questions.ts'
import { reports } from './reports.ts'
import { sentBy } from './statements.ts'

/** A hundred days that include two whole months. */
const range = { startAt: `${Date.UTC(2025, 0, 1)}`, endAt: `${Date.UTC(2025, 3, 10)}` }

const ofCounts = tables.filter(({ answersFrom }) => answersFrom).map(({ name }) => name)

type Report = Question['report']

/** The example over the long range, with each value of each parameter that has only a few values. */
function questionsTo(report: Report): Question[] {
  const { parameters, ignored } = report.query
  const more = Object.entries(parameters)
    .filter(([name]) => !ignored.has(name) && name !== 'match')
    .flatMap(([name, { schema }]) => ((schema.enum ?? []) as readonly string[]).map((value) => ({ [name]: value })))
    // The range has too many minutes.
    .filter(({ unit }) => unit !== 'minute')
  const fields = 'fields' in report.example.query ? [{ fields: 'browser' }] : []
  const [websiteId, eventId] = ['7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001', '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a002']
  return [{}, ...more, ...fields].map((one) => {
    const query = Object.entries<string>({ ...report.example.query, ...range, ...one })
    return { report, websiteId, eventId, query: query.filter(([name]) => name in parameters) }
  })
}

const choosesTable = (report: Report): boolean =>
  questionsTo(report)
    .flatMap((question) => Object.values(sentBy(planOf(question))))
    .flatMap((body) => compile(body).tables)
    .some((name) => ofCounts.includes(name))

/** The reports that may be answered from tables of counts. */
export const choosing = (): Report[] => reports.filter(choosesTable)
