import { JsonReader } from '../request/json-reader.ts'
import { charactersIn } from './characters.ts'

/** Texts and the spaces between them. The last text may be cut off. */
const textOrSpaces = /("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$))|\s+/g

/** Escape sequences; consecutive `\u` escapes match as one. */
const escapes = /(?:\\u[\da-f]{4})+|\\./gi

/**
 * JSON, or its beginning, as `JSON.stringify` writes it, without spaces and needless escapes. But numbers stay as they
 * were written.
 */
export function compact(json: string): string {
  const text = /\s/.test(json) ? json.replace(textOrSpaces, '$1') : json
  return /\\[u/]/.test(text) ? text.replace(escapes, unescaped) : text
}

function unescaped(one: string): string {
  if (one === '\\/') return '/'
  return /^\\u./i.test(one) ? JSON.stringify(JSON.parse(`"${one}"`)).slice(1, -1) : one
}

/** The compact JSON of an array, with only the first elements that fit into this many characters. */
export function firstElements(json: string, longest: number): { readonly json: string; readonly isCut: boolean } {
  if (json.length <= longest) return { json: compact(json), isCut: false }
  const reader = new JsonReader(json)
  const kept: string[] = []
  let [characters, isCut] = [1, false]
  reader.array(() => {
    const element = compact(reader.spanOf(() => reader.skip()))
    // Plus the comma before it, or the closing bracket.
    characters += charactersIn(element) + 1
    isCut = characters > longest
    if (!isCut) kept.push(element)
    return !isCut
  })
  return { json: `[${kept.join()}]`, isCut }
}
