import { existsSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { families } from '../../src/endpoints/index.ts'
import { fieldNames } from '../../src/request/fields.ts'
import { FIELDS } from '../oracle/conditions.ts'
import { worlds } from '../oracle/generate-world.ts'
import { choosing } from '../support/choosing.ts'
import { reports } from '../support/reports.ts'
import { facts, factsFileOf, factsOf, wholeFactsOf } from './index.ts'
import { computedLike } from './oracle-of.ts'

/** Tests that every endpoint has facts. If one lacks them, the failure says which file to add them to. */

const all = families.flatMap(({ endpoints }) => endpoints.map((endpoint) => [endpoint.name, endpoint] as const))

const UNKNOWN = '00000000-0000-4000-8000-00000000dead'

const test = new URL('../', import.meta.url)

/** The words of a path below the website, in reverse order. */
const wordsOf = ({ path }: Endpoint): string[] =>
  path
    .split('/')
    .filter((word) => word !== '' && !word.startsWith(':') && !['api', 'websites', 'reports'].includes(word))
    .reverse()

function missingOf(report: AnyReport): string[] {
  const { openedBy, oracle, like, meaning, takesNoFilters } = factsOf(report)
  const takesFilters = 'filters' in (report.query.schema.parse(report.example.query) as object)
  return [
    ...(openedBy ? [] : ['the sections that open it: specify them as `openedBy`']),
    ...(oracle || (like && facts[like])
      ? []
      : ['an oracle: compute its answer in test/oracle and specify it as `oracle`, or specify `like`']),
    ...(meaning ? [] : ['a test of its meaning: write test/endpoints/… and specify it as `meaning`']),
    ...(meaning && !existsSync(new URL(meaning, test))
      ? [`the file test/${meaning}, which its \`meaning\` specifies`]
      : []),
    ...(takesFilters === !takesNoFilters ? [] : ['`filters()` in its query, or `takesNoFilters` in its facts']),
  ]
}

describe('the facts about endpoints', () => {
  it.each(all)('exist for %s', (name) => {
    expect(facts[name], `${name} has no facts: add who may call it to ${factsFileOf(name)}.`).toBeDefined()
  })

  it('exist for no other endpoint', () => {
    const names = new Set(all.map(([name]) => name))
    expect(Object.keys(facts).filter((name) => !names.has(name))).toEqual([])
  })

  it.each(reports.map((report) => [report.name, report] as const))('are complete for reports: %s', (name, report) => {
    expect(missingOf(report).map((what) => `${name} lacks ${what}. Its facts: ${factsFileOf(name)}.`)).toEqual([])
  })

  it.each(reports.map((report) => [report.name, report] as const))(
    'specify a test that covers the report: %s',
    (_, report) => {
      const { meaning } = factsOf(report)
      expect(meaning, `${report.name} specifies no test as \`meaning\` in ${factsFileOf(report.name)}.`).toBeDefined()
      const text = readFileSync(new URL(meaning!, test), 'utf8')
      expect(wordsOf(report).filter((word) => text.includes(word))).not.toEqual([])
    },
  )

  const [world] = fc.sample(worlds, 1)

  it.each(reports.map((report) => [report.name, report] as const))(
    'specify an oracle that computes %s',
    (name, report) => {
      const { oracle, endpoint } = computedLike(report)
      const query = Object.entries({ ...report.example.query, ...report.example.saved })
      const computed = () => {
        const drawn = oracle.draw && !oracle.type ? fc.sample(oracle.draw(world!, endpoint), 3) : []
        for (const request of drawn) oracle.answer([], request)
        return oracle.answer([], { endpoint, websiteId: UNKNOWN, query })
      }
      const lacks = `The oracle of ${name} does not compute “${endpoint}”: add it to the files that test/facts/oracles.ts names for it.`
      let answer: unknown
      expect(() => {
        answer = computed()
      }, lacks).not.toThrow()
      expect(answer, lacks).toBeDefined()
    },
  )

  it('list the tables of each report that uses different ones', () => {
    const isKnown = (name: string) => {
      const { tables, longRanges } = wholeFactsOf({ name })
      return tables !== undefined || longRanges !== undefined
    }
    const lacking = choosing().filter(({ name }) => !isKnown(name))
    expect(lacking.map(({ name }) => `${name} lacks \`tables\` or \`longRanges\` in ${factsFileOf(name)}.`)).toEqual([])
  })
})

describe('the oracle', () => {
  it('supports every field as a filter', () => {
    expect([...FIELDS].sort(), 'test/oracle/conditions.ts contains each field of src/request/fields.ts.').toEqual(
      [...fieldNames].sort(),
    )
  })
})
