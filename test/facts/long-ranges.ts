import * as fc from 'fast-check'

type Parameters = Readonly<Record<string, string>>

/** Questions for a report over ranges of days to years. */
export interface LongRanges {
  /** The parameters for which a table of counts answers over several months without filters. */
  readonly sure: Parameters
  readonly drawn: fc.Arbitrary<Parameters>
}

const types = [
  ...['browser', 'country', 'region', 'city', 'language', 'screen', 'os', 'entry', 'exit', 'channel', 'path'],
  ...['referrer', 'domain'],
]
const fields = ['browser', 'country,city', 'language,region', 'path,browser']

const timezone = fc.constantFrom(
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Kiritimati'],
)

/** The first question is always the one for `sure`. */
export const among = (sure: Parameters, ...others: readonly Parameters[]): LongRanges => ({
  sure,
  drawn: fc.constantFrom(sure, ...others),
})

export const typed = among({ type: 'country' }, ...types.map((type) => ({ type })))

export const byFields = among({ fields: 'browser' }, ...fields.map((some) => ({ fields: some })))

export const inZones: LongRanges = { sure: {}, drawn: fc.record({ timezone }) }

/** These parameters with every unit and several time zones. */
export const inSeries = (more: Parameters = {}): LongRanges => ({
  sure: { unit: 'month', ...more },
  drawn: fc.record({ unit: fc.constantFrom('hour', 'day', 'week', 'month', 'year'), timezone, ...constants(more) }),
})

const constants = (some: Parameters) =>
  Object.fromEntries(Object.entries(some).map(([name, value]) => [name, fc.constant(value)]))
