/** Milliseconds since 1970 as ISO 8601 in UTC, to the second: `2025-10-15T16:26:28Z`. */
export const isoSecond = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, -5)}Z`

/** The month of a moment in UTC as ClickHouse's `toYYYYMM` writes it: 202501. */
export function yearAndMonth(milliseconds: number): number {
  const date = new Date(milliseconds)
  return 100 * date.getUTCFullYear() + date.getUTCMonth() + 1
}
