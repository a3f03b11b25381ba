import * as fc from 'fast-check'
import type { World } from './generate-world.ts'
import { type IngestRow, isView, PERFORMANCE } from './model.ts'

/** Columns that few events have. */
type Marks = { clickIds: Partial<IngestRow>; vitals: Partial<IngestRow> }

/** One event in ten has a click id. */
const clickIds: fc.Arbitrary<Partial<IngestRow>> = fc.oneof(
  { weight: 9, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'), fc.constantFrom('x', ''))
      .map(([column, text]) => ({ [column]: text })),
  },
)

const measures = fc.constantFrom(0, 0.05, 12.5, 2500, null)

const vitals: fc.Arbitrary<Partial<IngestRow>> = fc.record(
  { lcp: measures, inp: measures, cls: measures, fcp: measures, ttfb: measures },
  { requiredKeys: [] },
)

const marks: fc.Arbitrary<Marks> = fc.record({ clickIds, vitals })

/** The same worlds, but with click ids, and with measurements in their web vitals. */
export function marked(worlds: fc.Arbitrary<World>): fc.Arbitrary<World> {
  const some = fc.array(marks, { minLength: 37, maxLength: 37, size: 'max' })
  return fc.tuple(worlds, some).map(([world, some]) => ({
    ...world,
    rows: world.rows.map((row, index) => withMarks(row, some[index % some.length]!)),
  }))
}

function withMarks(row: IngestRow, { clickIds, vitals }: Marks): IngestRow {
  return { ...row, ...clickIds, ...(row.event_type === PERFORMANCE ? vitals : {}) }
}

/** The same worlds, but with an older channel list version in about half of the views without properties. */
export function judged(worlds: fc.Arbitrary<World>): fc.Arbitrary<World> {
  const some = fc.array(fc.boolean(), { minLength: 37, maxLength: 37, size: 'max' })
  return fc.tuple(worlds, some).map(([world, some]) => ({
    ...world,
    rows: world.rows.map((row, index) => {
      const isOlder = some[index % some.length]! && isView(row) && row['properties.key'].length === 0
      return isOlder ? { ...row, channel_lists: 0 } : row
    }),
  }))
}
