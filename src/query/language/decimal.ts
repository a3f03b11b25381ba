/** V8 supports `JSON.rawJSON`, but TypeScript's library does not declare it yet. */
interface RawJson {
  readonly rawJSON: (text: string) => number
}

/**
 * A ClickHouse decimal as a JSON number with the same digits. A double would change the digits after the fifteenth. The
 * value can only be passed to `JSON.stringify`, not used in calculations.
 */
export const exactNumber = (digits: string): number => (JSON as unknown as RawJson).rawJSON(digits)
