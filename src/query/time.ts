/** Milliseconds since 1970 as ISO 8601 in UTC, to the second: `2025-10-15T16:26:28Z`. */
export const isoSecond = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, -5)}Z`
