import { describe, expect, it } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { compile, type Fragment } from '../../src/query/language/sql.ts'
import { formats } from '../../src/serve/export/formats.ts'
import { hostileShapes, shapesOf } from '../support/hostile.ts'
import { inputOf, planOf, type Question } from '../support/questions.ts'
import { reports } from '../support/reports.ts'
import { boundIn, piecesOf, readsOf } from '../support/statements.ts'

const lists = reports.filter((report) => report.export)

/** The statements for an export, one per format. */
function statementsOf(question: Question): Fragment[] {
  const asked = { input: inputOf(question), plan: planOf(question) }
  return formats.map(({ text, nested }) => question.report.export!({ ...asked, text, nested } as never))
}

it('all lists can be exported, and nothing else', () => {
  const isList = ({ query }: AnyReport) =>
    ['offset', 'page'].some((name) => name in query.parameters && !query.ignored.has(name))
  expect(lists.map(({ name }) => name)).toEqual(reports.filter(isList).map(({ name }) => name))
})

describe.each(lists.map((report) => [report.name, report] as const))('an export statement: %s', (_, report) => {
  const shapes = shapesOf(report, 'a').map((question) => ({ question, bodies: statementsOf(question) }))

  it('is a single select that limits each table read to the website and to both ends of the range', () => {
    for (const { question, bodies } of shapes) {
      for (const body of bodies) {
        const statement = compile(body)
        expect(statement.query).toMatch(/^select\s/)
        expect(statement.query).not.toMatch(/;|--|\/\*|\b(insert|alter|create|drop|system|outfile|format)\b/)
        const reads = readsOf(statement.query)
        expect(reads.length).toBeGreaterThan(0)
        for (const { conditions } of reads) {
          const one = (pattern: RegExp) => conditions.filter((condition) => pattern.test(condition))
          const [website, ...others] = one(/^website_id = \{p\d+:UUID\}$/)
          expect([boundIn(website!, statement), others]).toEqual([question.websiteId.toLowerCase(), []])
          expect(one(/^created_at >= \{p\d+:Int64\}$/)).not.toEqual([])
          expect(one(/^created_at <= \{p\d+:Int64\}$/)).not.toEqual([])
          expect(conditions.filter((condition) => /\bor\b/.test(condition))).toEqual([])
        }
      }
    }
  })

  it('consists of constant parts, so that no value changes its text', () => {
    const texts = (bodies: readonly Fragment[]) => bodies.map((body) => compile(body).query)
    for (const { place, question } of hostileShapes(report, lists.indexOf(report))) {
      expect(texts(statementsOf(question))).toEqual(texts(shapes[place]!.bodies))
    }
    for (const body of shapes.flatMap(({ bodies }) => bodies)) {
      expect(piecesOf(body).filter((piece) => !('raw' in piece.texts && Object.isFrozen(piece.texts)))).toEqual([])
    }
  })
})
