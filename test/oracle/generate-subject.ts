import * as fc from 'fast-check'
import type { IngestRow } from './model.ts'

/**
 * The subject of a request: a website's events, and one of them as the anchor. Most parts of the request suit the
 * anchor, so that they can all match together. Without events, there is no anchor.
 */
export type Subject = Anchored<IngestRow>

/** Rows of any kind, such as events or session records, and one of them. */
export type Anchored<Row> = { rows: Row[]; anchor: Row | undefined }

export type Parameters = [string, string][]

/** Two of three anchors have properties, if any event does. */
export function subjects(rows: IngestRow[]): fc.Arbitrary<Subject> {
  const withProperties = rows.filter((row) => row['properties.key'].length > 0)
  const anchors = fc.oneof(
    { weight: 1, arbitrary: oneOf(rows) },
    { weight: 2, arbitrary: oneOf(withProperties.length === 0 ? rows : withProperties) },
  )
  return anchors.map((anchor) => ({ rows, anchor }))
}

/** The anchor or, sometimes, another event. */
export function eventsOf<Row>({ rows, anchor }: Anchored<Row>): fc.Arbitrary<Row | undefined> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(anchor) }, { weight: 1, arbitrary: oneOf(rows) })
}

export function oneOf<Value>(values: Value[]): fc.Arbitrary<Value | undefined> {
  return values.length === 0 ? fc.constant(undefined) : fc.constantFrom(...values)
}
