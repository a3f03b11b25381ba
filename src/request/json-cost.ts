/** Limits on JSON, so that the parsing time stays roughly linear. */
export interface JsonBounds {
  /** The maximum nesting depth of arrays and objects. */
  readonly depth: number
  /** The maximum number of arrays, objects and commas. */
  readonly values: number
  /**
   * The maximum number of distinct prefixes of key lists in objects. V8 creates a hidden class for each, which takes
   * seconds for a million.
   */
  readonly shapes: number
}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Shapes are distinguished by this many bits of a hash. */
const shapeBits = 20

/** One bit for each hash that has occurred in the current call. */
const seen = new Uint32Array(2 ** (shapeBits - 5))

/**
 * The seed of the hashes. It is created on first use, because a Worker has no random numbers before its first request.
 */
let seed: number | undefined

/**
 * The bound that the JSON exceeds first; undefined if it exceeds none. For malformed JSON, the result is arbitrary.
 * Hash collisions allow a few more shapes, but nobody can construct collisions, because the seed is random.
 */
export function brokenBound(json: string, bounds: JsonBounds): keyof JsonBounds | undefined {
  seed ??= crypto.getRandomValues(new Uint32Array(1))[0]!
  seen.fill(0)
  /** The hash of the keys read so far, for each open object. */
  const hashes: number[] = [seed]
  let [depth, values, shapes] = [0, 0, 0]
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === quote) {
      const end = endOfText(json, index)
      if (end < 0) return undefined
      if (isBeforeColon(json, end)) {
        const hash = hashed(hashes[depth]!, json, index, end)
        hashes[depth] = hash
        const bit = hash >>> (32 - shapeBits)
        const mask = 1 << (bit & 31)
        if (!(seen[bit >>> 5]! & mask)) {
          seen[bit >>> 5]! |= mask
          if (++shapes > bounds.shapes) return 'shapes'
        }
      }
      index = end
    } else if (code === openArray || code === openObject) {
      if (++depth > bounds.depth) return 'depth'
      hashes[depth] = seed
      values++
    } else if (code === closeArray || code === closeObject) depth = Math.max(0, depth - 1)
    else if (code === comma) values++
    if (values > bounds.values) return 'values'
  }
  return undefined
}

/** The index of the quote that ends the string starting at `start`; -1 if there is none. */
function endOfText(json: string, start: number): number {
  let end = start
  for (;;) {
    end = json.indexOf('"', end + 1)
    if (end < 0) return end
    let escapes = 0
    while (json.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
}

/** Whether the string that ends here is a key. */
function isBeforeColon(json: string, end: number): boolean {
  let next = end + 1
  while (isSpace(json.charCodeAt(next))) next++
  return json.charCodeAt(next) === colon
}

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)

function hashed(from: number, json: string, start: number, end: number): number {
  let hash = from
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ json.charCodeAt(index), 0x01000193)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 0
}
