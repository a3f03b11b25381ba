import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { isAskedByBody } from '../../src/endpoints/facts.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { made } from '../../src/made.ts'
import { operator, post } from '../support/callers.ts'
import { goodRequestOfNobody } from '../support/good-requests.ts'
import { isLong } from '../support/long.ts'
import { refused } from '../support/refusals.ts'
import { reports } from '../support/reports.ts'
import { askOf, pathTo } from '../support/requests.ts'
import { send } from '../support/rowless.ts'
import { newWebsite } from '../support/weir.ts'

/** Knowing more names must not make a mistake look as if it had worked. */

let websiteId: string
beforeAll(async () => {
  websiteId = await newWebsite()
})

const filterNames = [
  ...['path', 'referrer', 'title', 'query', 'browser', 'os', 'device', 'country', 'region', 'city', 'language'],
  ...['hostname', 'tag', 'event', 'distinctId', 'utmSource', 'utmMedium', 'utmCampaign', 'utmContent', 'utmTerm'],
  ...['url', 'host', 'eventType', 'excludeBounce', 'segment', 'cohort', 'match', 'epf0', 'spf0'],
]

/** The name with one letter missing, doubled, replaced, in the other case, or in the place of its neighbour. */
function misspelt(name: string): string[] {
  const letters = [...name.replace(/\d$/, '')]
  const others = letters.flatMap((letter, at) => {
    const [before, after] = [name.slice(0, at), name.slice(at + 1)]
    const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    return [before + after, before + letter + letter + after, `${before}x${after}`, before + turned + after].concat(
      at === 0 ? [] : [before.slice(0, -1) + letter + before.at(-1) + after],
    )
  })
  return [...new Set(others)].filter((other) => other !== name)
}

/** A name that is right after all: another parameter, or one with a number. */
const isKnown = ({ query }: Endpoint, name: string): boolean =>
  [...Object.keys(query.parameters), ...filterNames, 'epf', 'spf'].includes(name.replace(/\d+$/, '')) ||
  Object.hasOwn(query.parameters, name)

const filtered = reports.filter(({ query }) => Object.hasOwn(query.parameters, 'hostname'))

const numbered = filtered.map((report, turn) => [report.name, report, turn] as const)

/** The parameters at fault in a request with this one more. */
function faults(report: AnyReport, name: string): unknown[] {
  const isInBody: boolean = isAskedByBody(report)
  const parsed = isInBody
    ? made(report.body!).safeParse({
        websiteId,
        type: report.path.slice(report.path.lastIndexOf('/') + 1),
        filters: { [name]: 'x' },
        parameters: report.example.query,
      })
    : report.query.schema.safeParse({ ...report.example.query, [name]: 'x' })
  return parsed.error?.issues.map(({ path }) => path.at(-1)) ?? []
}

describe('a filter misspelt by one letter', () => {
  it('is one of many', () => {
    expect(filtered.length).toBeGreaterThan(50)
    expect(misspelt('tag')).toEqual(
      expect.arrayContaining(['ag', 'tg', 'ta', 'ttag', 'xag', 'Tag', 'taG', 'atg', 'tga']),
    )
  })

  it.each(numbered)('is at fault, in %s', (_name, report, turn) => {
    const wrong = filterNames.flatMap(misspelt).filter((name) => !isKnown(report, name))
    expect(wrong.length).toBeGreaterThan(800)
    // In `npm test` each report is asked for other names.
    for (const name of wrong.filter((_, place) => isLong || place % 40 === turn % 40)) {
      expect(faults(report, name)).toEqual([isAskedByBody(report) ? `filters.${name}` : name])
    }
  })

  it.each(numbered)('is a 400 that names it, in %s', async (_name, report, turn) => {
    const wrong = filterNames.flatMap(misspelt).filter((name) => !isKnown(report, name))
    const name = wrong[(turn * 97) % wrong.length]!
    if (!isAskedByBody(report)) {
      refused(await send(pathTo(report, { websiteId }, { [name]: 'x' }), askOf(report, operator)), name)
      return
    }
    const body = goodRequestOfNobody(report, { websiteId }).body as object
    refused(await post(report.path, { ...body, filters: { [name]: 'x' } }), `filters.${name}`)
    refused(
      await post(report.path, { ...body, parameters: { ...(report as AnyReport).example.query, [name]: 'x' } }),
      `parameters.${name}`,
    )
  })
})

describe('a field that no record has', () => {
  const posts = endpoints.filter(({ method }) => method === 'post')

  it.each(posts.map((endpoint) => [endpoint.name, endpoint] as const))(
    'is refused in the body of %s',
    async (_name, endpoint) => {
      expect(posts.length).toBeGreaterThan(40)
      const good = (goodRequestOfNobody(endpoint, { websiteId }).body ?? {}) as object
      const reply = await post(pathTo(endpoint, { websiteId }), { ...good, surprise: 1 })
      if (endpoint.body) refused(reply, 'surprise')
      else expect([reply.status, reply.body.error.message]).toEqual([400, 'A POST request takes no body here.'])
    },
  )
})
