import { firstCharacters } from '../../collect/characters.ts'

/** A PostgreSQL or ClickHouse time in UTC. */
const timeForm = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:\+00(?::?00)?)?$/

/** A time in the format of Weir's columns, truncated to milliseconds. Undefined for anything else. */
export function columnTime(text: string | null | undefined): string | undefined {
  const [, clock, fraction = ''] = timeForm.exec(text ?? '') ?? []
  return clock === undefined ? undefined : `${clock}.${fraction.slice(0, 3).padEnd(3, '0')}`
}

/** Converts a time in the format of Weir's columns to milliseconds since 1970. */
export const instantOf = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`)

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

const nil = '00000000-0000-0000-0000-000000000000'

export const isUuid = (text: unknown): text is string => typeof text === 'string' && uuid.test(text) && text !== nil

/** A text truncated to fit its column; `null` becomes an empty text. */
export const cutText = (text: string | null | undefined, longest: number): string =>
  text ? firstCharacters(text, longest).toWellFormed() : ''
