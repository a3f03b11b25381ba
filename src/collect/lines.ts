const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Splits rows of JSON into lines. Each line must end with a line feed. */
export const linesIn = (rows: Uint8Array): string[] => decoder.decode(rows).split('\n').slice(0, -1)

export const bytesOf = (lines: readonly string[]): Uint8Array<ArrayBuffer> => encoder.encode(`${lines.join('\n')}\n`)

/** Concatenates the parts. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let length = 0
  for (const part of parts) {
    all.set(part, length)
    length += part.length
  }
  return all
}
