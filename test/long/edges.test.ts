import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { namesFor } from '../facts/oracle-of.ts'
import { analysisOracle, statisticOracle } from '../facts/oracles.ts'
import { event, id, number, record, string } from '../oracle/fixtures.ts'
import { analysisRequests } from '../oracle/generate-analyses.ts'
import { statisticRequests } from '../oracle/generate-statistics.ts'
import type { World } from '../oracle/generate-world.ts'
import type { Analysis, IngestRow, Statistic } from '../oracle/model.ts'
import { columnTime } from '../support/website.ts'
import { agreesInWorlds } from '../support/worlds.ts'

/** Websites with extreme contents, which random worlds rarely have. */

const website_id = id(1)
const day = 86_400_000
const window = { start: Date.UTC(2025, 9, 1), end: Date.UTC(2025, 11, 9) }
const worldOf = (rows: IngestRow[], records: World['records'] = []): World => ({
  ...{ websiteIds: [website_id], window },
  ...{ rows, records },
})

const money = (amount: number) => [string('currency', 'USD'), number('revenue', String(amount))]
const known = { website_id, session_id: id(100) }

/** One event, in a session that was also identified. */
const one = (event_type: number): World => {
  const kind = { event_type, event_name: event_type === 2 ? 'buy' : '', ...(event_type === 5 && { lcp: 5, cls: 0.1 }) }
  const row = event({ ...known, ...kind, url_path: '/', browser: 'chrome' }, event_type === 2 ? money(5) : [])
  return worldOf([row], [record('12:00:00', [string('plan', 'pro')], known)])
}

/** A thousand sessions, each with its own names, path and location. */
const thousand = worldOf(
  Array.from({ length: 2000 }, (_, place) => {
    const [isCustom, session] = [place % 2 === 1, Math.floor(place / 2)]
    const ids = {
      ...{ website_id, event_id: id(10_000 + place), session_id: id(20_000 + session) },
      visit_id: id(30_000 + session),
    }
    const names = {
      event_name: isCustom ? `name ${place}` : '',
      url_path: `/${place}`,
      browser: `browser ${place % 999}`,
    }
    const places = { country: ['US', 'DE', ''][place % 3]!, region: `region ${place}`, city: `city ${place % 500}` }
    const sources = { hostname: 'x.example', referrer_domain: `from${place}.example`, utm_source: `source ${place}` }
    return event(
      {
        ...{ ...ids, ...names, ...places, ...sources, event_type: isCustom ? 2 : 1 },
        created_at: columnTime(window.start + place * 1_800_000),
      },
      isCustom ? [...money(place), string(`key ${place}`, 'x')] : [],
    )
  }),
  Array.from({ length: 1000 }, (_, place) =>
    record('12:00:00', [string('plan', `plan ${place}`), number('seats', String(place))], {
      ...{ website_id, session_id: id(20_000 + place) },
    }),
  ),
)

/** Three sessions with events at midnight, from several browsers, in the same and in different languages. */
const midnight = worldOf(
  Array.from({ length: 60 }, (_, place) => {
    const visit = place % 6
    const event_type = [1, 2, 1, 5, 3][(place * 3) % 5]!
    const ids = { website_id, event_id: id(10_000 + ((place * 7919) % 1000)), session_id: id(1 + (visit >> 1)) }
    const client = { browser: ['chrome', 'safari', ''][(place * 5) % 3]!, country: ['US', '', 'DE'][(place * 5) % 3]! }
    const said = {
      language: ['en', 'en-US', 'EN_gb'][(place * 11) % 3]!,
      distinct_id: ['', 'a', 'b'][(place * 2) % 3]!,
    }
    const edge = window.start + (10 + (place % 9) * 5) * day + [-1, 0, 1, -1000, 999, 0][visit]!
    return event(
      {
        ...{ ...ids, ...client, ...said, visit_id: id(100 + visit), event_type, created_at: columnTime(edge) },
        ...{ event_name: event_type === 2 ? 'buy' : '', url_path: `/${place % 4}` },
      },
      place % 4 > 0 ? money(place) : [],
    )
  }),
  Array.from({ length: 9 }, (_, place) =>
    record('12:00:00', [string('plan', `plan ${place % 2}`)], {
      ...{ website_id, session_id: id(1 + (place % 4)) },
      created_at: columnTime(window.start + (10 + place * 5) * day + (place % 3) - 1),
    }),
  ),
)

const edges: Readonly<Record<string, World>> = {
  'no event': worldOf([]),
  ...Object.fromEntries([1, 2, 3, 5].map((type) => [`one event of type ${type}`, one(type)])),
  'a thousand names': thousand,
  'browsers across midnight': midnight,
}

const numRuns = 1
const asked = Number(process.env.QUESTIONS ?? 15)

describe.each(Object.entries(edges))('%s', (_, world) => {
  const among = fc.constant(world)

  it.each(namesFor<Analysis>(analysisOracle))('%s', (report) =>
    agreesInWorlds((world) => analysisRequests(world, report), { numRuns, asked }, { among }),
  )

  it.each(namesFor<Statistic>(statisticOracle))('%s', (report) =>
    agreesInWorlds((world) => statisticRequests(world, report), { numRuns, asked }, { among }),
  )
})
