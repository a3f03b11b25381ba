/** V8's `JSON.rawJSON`, which TypeScript's library does not declare yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => number }

/**
 * A decimal of ClickHouse as a JSON number with the same digits. A double would change those after the fifteenth. The
 * value is only for `JSON.stringify`: nothing can calculate with it.
 */
export const exactNumber = (digits: string): number => rawJSON(digits)
