import type { Knowledge } from '../../src/query/language/known.ts'
import type { Scope } from '../../src/query/language/scope.ts'
import type { Statement } from '../../src/query/language/statement.ts'

/** The scope of a caller with a right of their own, which is the whole website. Every day may be sealed. */
export const wholeWebsite = (websiteId: string): Scope => ({
  ...{ websiteId, since: undefined, only: [] },
  ...{ hidesDistinctIds: false, hidesSessionProperties: false, closedBefore: Number.MAX_SAFE_INTEGER },
})

type Plan = Readonly<Record<string, Statement<unknown>>>

/** Rows of `seals` for every second day in 16 years, each sealed on this server and with many views. */
const sealed = Array.from({ length: 2922 }, (_, place) => Date.UTC(2014, 0) / 86_400_000 + 2 * place)
const ofEach = <Value>(value: Value): Value[] => sealed.map(() => value)
const byHour = ofEach('100000 '.repeat(24).trim()).join(';')

/** The data that a plan may want: rows of `seals`, or the days with events. */
const everything = {
  ...{ shards: ofEach(0), days: sealed, seals: ofEach(7), began: ofEach(1), done: ofEach(2), changed: ofEach(0) },
  ...{ views: ofEach(2_400_000), customs: ofEach(2_400_000), viewsByHour: byHour },
  ...{ dayMarks: ofEach('3'), sealMarks: ofEach('5') },
  ...{ isHere: 1, isReplicated: 0, hasOtherHours: 1, hasOtherValues: 1 },
  ...{ first: sealed[0]! * 86_400_000, last: sealed.at(-1)! * 86_400_000, counted: sealed.length },
}

/** One plan without any known data, and one as if all requested days were sealed. */
export function plansOf(planning: (known?: Knowledge) => object): readonly Plan[] {
  const plan = planning() as Plan
  const keys = Object.values(plan).flatMap(({ wants }) => wants?.key ?? [])
  if (keys.length === 0) return [plan]
  const found = new Map(keys.map((key) => [key, { rows: [everything], total: 1 }]))
  return [plan, planning({ found, failed: new Set() }) as Plan]
}
