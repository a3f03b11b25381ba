import * as fc from 'fast-check'
import { happened, ids, type Look, looks, WEBSITE_IDS, type World } from './generate-world.ts'

/** The era includes a leap day, three year ends, and enough earlier time for comparisons with the previous year. */
const FIRST = Date.UTC(2023, 10, 1)
const LAST = Date.UTC(2026, 2, 1)
const DAY = 86_400_000

/** The starts of days and of months. */
const days = fc.nat({ max: (LAST - FIRST) / DAY - 1 }).map((day) => FIRST + day * DAY)
const months = fc.nat({ max: 27 }).map((month) => Date.UTC(2023, 10 + month))

/** The times of visits: the last and first milliseconds of days and months, shortly before they end, or anywhere. */
const beginnings = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(days, fc.constantFrom(-1, 0, 1)).map(([day, shift]) => day + shift) },
  { weight: 3, arbitrary: fc.tuple(months, fc.constantFrom(-1, 0, 0, 1)).map(([month, shift]) => month + shift) },
  { weight: 2, arbitrary: fc.tuple(fc.oneof(days, months), fc.nat({ max: 90_000 })).map(([edge, ms]) => edge - ms) },
  { weight: 4, arbitrary: fc.integer({ min: FIRST, max: LAST - DAY }) },
)

/** The milliseconds between two events of a visit. */
const gaps = fc.oneof(fc.constantFrom(0, 1), fc.nat({ max: 90_000 }), fc.nat({ max: 2_400_000 }))

const stays = fc.record({
  visitor: fc.nat({ max: 39 }),
  begins: beginnings,
  events: fc.array(fc.record({ ...ids, look: fc.nat(), gap: gaps }), { minLength: 1, maxLength: 5, size: 'max' }),
})

/**
 * Whether the texts are short and have the same order as their bytes, so that the Worker parses their shapes itself.
 */
const isUsual = ({ columns, properties }: Look): boolean =>
  [columns.event_name, ...properties.map(({ key }) => key)].every(
    (text) => !/[\ud800-\uffff]/.test(text) && text.length < 50,
  )

const websites = (some: fc.Arbitrary<Look>) =>
  fc.record({
    looks: fc.array(some, { minLength: 60, maxLength: 60, size: 'max' }),
    stays: fc.array(stays, { minLength: 500, maxLength: 500, size: 'max' }),
  })

/**
 * Two websites over 28 months. Many visits cross the end of a day or month. The Worker can parse the shapes of the
 * second website's events itself.
 */
export const eras: fc.Arbitrary<World> = fc.tuple(websites(looks), websites(looks.filter(isUsual))).map((drawn) => ({
  websiteIds: WEBSITE_IDS.slice(0, drawn.length),
  rows: drawn.flatMap(({ looks, stays }, website) => {
    let index = 0
    return stays.flatMap(({ visitor, begins, events }, visit) => {
      let instant = begins
      return events.map(({ look, gap, ...id }, place) => {
        instant += place === 0 ? 0 : gap
        return happened({ ...looks[look % looks.length]!, ...id }, { website, visitor, visit, instant, index: index++ })
      })
    })
  }),
  window: { start: FIRST, end: LAST - 1 },
}))
