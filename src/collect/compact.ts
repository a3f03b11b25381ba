import { JsonReader } from '../request/json-reader.ts'
import { charactersIn } from './characters.ts'

/** Strings, and the whitespace between them. The last string may be cut off. */
const textOrSpaces = /("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$))|\s+/g

/** Escape sequences. Consecutive `\u` escapes are matched together. */
const escapes = /(?:\\u[\da-f]{4})+|\\./gi

/**
 * Formats JSON, or the beginning of JSON, as `JSON.stringify` does: without whitespace or needless escapes. However,
 * numbers are left unchanged.
 */
export function compact(json: string): string {
  const text = /\s/.test(json) ? json.replace(textOrSpaces, '$1') : json
  return /\\[u/]/.test(text) ? text.replace(escapes, unescaped) : text
}

function unescaped(one: string): string {
  if (one === '\\/') return '/'
  return /^\\u./i.test(one) ? JSON.stringify(JSON.parse(`"${one}"`)).slice(1, -1) : one
}

/** The compact JSON of an array, cut to the first elements that fit into this many characters. */
export function firstElements(json: string, longest: number): { readonly json: string; readonly isCut: boolean } {
  if (json.length <= longest) return { json: compact(json), isCut: false }
  const reader = new JsonReader(json)
  const kept: string[] = []
  let [characters, isCut] = [1, false]
  reader.array(() => {
    const element = compact(reader.spanOf(() => reader.skip()))
    // Plus one for the comma before it, or for the closing bracket.
    characters += charactersIn(element) + 1
    isCut = characters > longest
    if (!isCut) kept.push(element)
    return !isCut
  })
  return { json: `[${kept.join()}]`, isCut }
}
