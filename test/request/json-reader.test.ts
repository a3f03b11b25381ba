import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonReader } from '../../src/request/json-reader.ts'
import { hostileJson } from '../support/hostile.ts'

/** The result of a JSON reader, in which a number becomes an array with its text. */
function read(reader: JsonReader): unknown {
  const kind = reader.next()
  if (kind === 'text') return reader.text()
  if (kind === 'number') return [reader.number()]
  if (kind === 'word') return reader.word()
  if (kind === 'array') {
    const all: unknown[] = []
    reader.array(() => all.push(read(reader)) > 0)
    return { all }
  }
  const all: [string, unknown][] = []
  reader.object((key) => void all.push([key, read(reader)]))
  return all
}

/** A value from `JSON.parse`, in the same form. */
function shown(value: unknown): unknown {
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return { all: value.map(shown) }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).map(([key, one]) => [key, shown(one)])
    : value
}

function whole<Value>(json: string, use: (reader: JsonReader) => Value): Value {
  const reader = new JsonReader(json)
  const value = use(reader)
  reader.end()
  return value
}

const isJson = (json: string): boolean => {
  try {
    JSON.parse(json)
    return true
  } catch {
    return false
  }
}

/** Texts that are valid or nearly valid JSON. */
const nearly = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom('', '"', '\\', ',', '0', '-', '.', 'e', '}', ']', ' ', '\u0001', '\\u12'),
  )
  .map(
    ([json, place, one]) =>
      `${json.slice(0, place % (json.length + 1))}${one}${json.slice((place * 7) % (json.length + 1))}`,
  )

describe('the JSON reader', () => {
  it('reads the same as JSON.parse, except that numbers stay as written', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n\t\r '), (json, spaces) => {
        const spaced = spaces + JSON.stringify(JSON.parse(json), null, spaces)
        // Keys made of digits come first in an object, and `-0` is 0.
        if (/"\d+":|-0\b/.test(json)) return
        expect(whole(spaced, read)).toEqual(shown(JSON.parse(json)))
      }),
    )
    const written = '[1.0,-0,1e400,1E+2,0.10,123456789012345678901234567890]'
    expect(whole(written, read)).toEqual({
      all: written
        .slice(1, -1)
        .split(',')
        .map((one) => [one]),
    })
    expect(whole('"\\u00e9\\ud83d\\ude00\\n\\/"', read)).toBe('é😀\n/')
  })

  it('refuses what JSON.parse refuses, whether reading or skipping it', () => {
    const odd = [
      ...['', ' ', '01', '1.', '.5', '+1', '-', '1e', '1e+', 'nul', 'True', '[1,]', '[,]', '{"a"}', '{"a":}', '{,}'],
      ...['{a:1}', '"a'],
      '"\n"',
      '"\\x"',
      '"\\u12g4"',
      ...['[1 2]', '{"a":1 "b":2}', '1 2', '[}', '{]'],
      '\u00a01',
      '[1',
      '{"a":1',
      '\ufeff1',
    ]
    for (const json of [...odd, ...hostileJson]) {
      for (const use of [read, (reader: JsonReader) => reader.skip()]) {
        const attempt = () => void whole(json, use)
        if (isJson(json)) expect(attempt, json.slice(0, 40)).not.toThrow()
        else expect(attempt, json).toThrow(SyntaxError)
      }
    }
    fc.assert(
      fc.property(nearly, (json) => {
        for (const use of [read, (reader: JsonReader) => reader.skip()]) {
          if (isJson(json)) whole(json, use)
          else expect(() => whole(json, use)).toThrow(SyntaxError)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('returns a value’s text, and can stop after an element', () => {
    const reader = new JsonReader(' [1 , {"a": [2]} ,3 oops')
    const spans: string[] = []
    reader.array(() => {
      spans.push(reader.spanOf(() => reader.skip()))
      return spans.length < 2
    })
    expect(spans).toEqual(['1', '{"a": [2]}'])
  })
})
