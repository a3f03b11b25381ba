/** V8 has `JSON.rawJSON`; TypeScript's library does not declare it yet. */
interface RawJson {
  readonly rawJSON: (text: string) => number
}

/**
 * A ClickHouse decimal as a JSON number with the same digits. A double would change the digits after the fifteenth. The
 * value is only for `JSON.stringify`: nothing can calculate with it.
 */
export const exactNumber = (digits: string): number => (JSON as unknown as RawJson).rawJSON(digits)
