import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { families } from '../../src/endpoints/index.ts'
import { fieldNames } from '../../src/request/fields.ts'
import { FIELDS } from '../oracle/conditions.ts'
import { choosing } from '../support/choosing.ts'
import { reports } from '../support/reports.ts'
import { facts, factsOf, wholeFactsOf } from './index.ts'

/** Every endpoint has its facts. A failure names the file to write. */

const all = families.flatMap(({ name, endpoints }) =>
  endpoints.map((endpoint) => [endpoint.name, name, endpoint] as const),
)

const test = new URL('../', import.meta.url)

/** The words of a path below the website, the last one first. */
const wordsOf = ({ path }: Endpoint): string[] =>
  path
    .split('/')
    .filter((word) => word !== '' && !word.startsWith(':') && !['api', 'websites', 'reports'].includes(word))
    .reverse()

function missingOf(report: AnyReport): string[] {
  const { openedBy, oracle, like, meaning, takesNoFilters } = factsOf(report)
  const takesFilters = 'filters' in (report.query.schema.parse(report.example.query) as object)
  return [
    ...(openedBy ? [] : ['the sections that open it: state them as `openedBy`']),
    ...(oracle || (like && facts[like])
      ? []
      : ['an oracle: compute its answer in test/oracle and name it as `oracle`, or give `like`']),
    ...(meaning ? [] : ['a test of its meaning: write test/endpoints/… and name it as `meaning`']),
    ...(meaning && !existsSync(new URL(meaning, test))
      ? [`the file test/${meaning}, which its \`meaning\` names`]
      : []),
    ...(takesFilters === !takesNoFilters ? [] : ['`filters()` in its query, or `takesNoFilters` in its facts']),
  ]
}

describe('the facts', () => {
  it.each(all)('are known of %s, of the family %s', (name, family) => {
    expect(
      facts[name],
      `${name} has no facts: add who may call it to the file of “${family}” in test/facts.`,
    ).toBeDefined()
  })

  it('are of no other endpoint', () => {
    const names = new Set(all.map(([name]) => name))
    expect(Object.keys(facts).filter((name) => !names.has(name))).toEqual([])
  })

  it.each(reports.map((report) => [report.name, report] as const))('lack nothing for a report: %s', (name, report) => {
    expect(missingOf(report).map((what) => `${name} lacks ${what}.`)).toEqual([])
  })

  it.each(reports.map((report) => [report.name, report] as const))(
    'name a test that is about the report: %s',
    (_, report) => {
      const { meaning } = factsOf(report)
      const text = readFileSync(new URL(meaning!, test), 'utf8')
      expect(wordsOf(report).filter((word) => text.includes(word))).not.toEqual([])
    },
  )

  it('say which tables answer each report that chooses between tables', () => {
    const isKnown = (name: string) => {
      const { tables, longRanges } = wholeFactsOf({ name })
      return tables !== undefined || longRanges !== undefined
    }
    const lacking = choosing().filter(({ name }) => !isKnown(name))
    expect(lacking.map(({ name }) => `${name} lacks \`tables\` or \`longRanges\` in test/facts.`)).toEqual([])
  })
})

describe('the oracle', () => {
  it('knows every field of which there are filters', () => {
    expect([...FIELDS].sort()).toEqual([...fieldNames].sort())
  })
})
