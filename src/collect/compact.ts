import { JsonReader } from '../request/json-reader.ts'
import { charactersIn } from './characters.ts'

/** Texts, and the spaces between them. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|\s+/g

/**
 * JSON as `JSON.stringify` writes it, without spaces and needless escapes, but with numbers as they were written. It
 * must be JSON.
 */
export const compact = (json: string): string =>
  /[\s\\]/.test(json) ? json.replace(token, (one) => (one[0] === '"' ? compactText(one) : '')) : json

const compactText = (json: string): string => (json.includes('\\') ? JSON.stringify(JSON.parse(json)) : json)

/** The compact JSON of an array with at most so many characters: as many whole elements as fit, from the first on. */
export function firstElements(json: string, longest: number): { readonly json: string; readonly isCut: boolean } {
  const whole = compact(json)
  if (charactersIn(whole) <= longest) return { json: whole, isCut: false }
  const reader = new JsonReader(whole)
  const kept: string[] = []
  let [characters, isCut] = [1, false]
  reader.array(() => {
    if (isCut) return reader.skip()
    const element = reader.spanOf(() => reader.skip())
    // With the comma before it, or the bracket at the end.
    characters += charactersIn(element) + 1
    isCut = characters > longest
    if (!isCut) kept.push(element)
  })
  return { json: `[${kept.join()}]`, isCut: true }
}
