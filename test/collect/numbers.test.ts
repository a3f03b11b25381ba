import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compact, firstElements } from '../../src/collect/compact.ts'
import { fourDecimals } from '../../src/collect/numbers.ts'

describe('a number with four decimals', () => {
  it.each([
    ...[
      ['0', '0.0000'],
      ['-0', '0.0000'],
      ['-0.0', '0.0000'],
      ['0e5', '0.0000'],
      ['-0.00', '0.0000'],
    ],
    ...[
      ['10', '10.0000'],
      ['19.99', '19.9900'],
      ['-2.5', '-2.5000'],
      ['1.00005', '1.0001'],
      ['-1.00005', '-1.0001'],
    ],
    ...[
      ['1.000049999999999999999999', '1.0000'],
      ['1.00004999999', '1.0000'],
      ['0.99995', '1.0000'],
    ],
    ...[
      ['99999.99995', '100000.0000'],
      ['-0.00004', '-0.0000'],
      ['0.00001234', '0.0000'],
    ],
    ...[
      ['1e3', '1000.0000'],
      ['15E-1', '1.5000'],
      ['1.5e+2', '150.0000'],
      ['5e-5', '0.0001'],
      ['4e-5', '0.0000'],
    ],
    ...[
      ['1e-400', '0.0000'],
      ['1e-99999999999999999999', '0.0000'],
      ['0.5e-4', '0.0001'],
    ],
    ...[
      ['9007199254740991', '9007199254740991.0000'],
      ['-9007199254740991', '-9007199254740991.0000'],
    ],
    ...[
      ['900719925474099.15625', '900719925474099.1563'],
      [`0.${'3'.repeat(29)}`, '0.3333'],
    ],
    ...[
      ['9007199254740990.99999', '9007199254740991.0000'],
      ['90071992547409910e-1', '9007199254740991.0000'],
    ],
  ])('%s is %s', (text, decimals) => {
    expect(fourDecimals(text)).toBe(decimals)
  })

  it.each([
    ...['9007199254740992', '-9007199254740992', '9007199254740991.5', '9007199254740991.00001', '1e16', '1e400'],
    ...['1e99999999999999999999', `0.${'3'.repeat(30)}`, '1'.repeat(31), '0'.repeat(31)],
  ])('cannot be read from %s', (text) => {
    expect(fourDecimals(text)).toBe(undefined)
  })

  it('has exact digits, however many it has', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), fc.stringMatching(/^\d{1,14}$/), (whole, digits) => {
        const magnitude = whole < 0n ? -whole : whole
        const units =
          magnitude * 10_000n + BigInt(digits.padEnd(4, '0').slice(0, 4)) + ((digits[4] ?? '0') >= '5' ? 1n : 0n)
        const text = String(units).padStart(5, '0')
        const sign = whole < 0n ? '-' : ''
        expect(fourDecimals(`${whole}.${digits}`)).toBe(`${sign}${text.slice(0, -4)}.${text.slice(-4)}`)
      }),
    )
  })
})

describe('compact JSON', () => {
  it('equals the output of JSON.stringify', () => {
    const escaped = (json: string) =>
      json
        .replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .replaceAll('/', '\\/')
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.constantFrom('', ' ', '\n\t'), (json, spaces) => {
        if (/-0\b|\d[eE]/.test(json) || /"\d+":/.test(json)) return
        expect(compact(escaped(JSON.stringify(JSON.parse(json), null, spaces)))).toBe(JSON.stringify(JSON.parse(json)))
      }),
    )
    expect(compact(' [ "a b" , "\\\\u0041 \\\\\\/" , "\\u0022\\u005C\\u0001\\u000a\\uD800" , 1.0 ] ')).toBe(
      '["a b","\\\\u0041 \\\\/","\\"\\\\\\u0001\\n\\ud800",1.0]',
    )
  })

  it('may be truncated', () => {
    expect(compact('{ "a b" : "c d')).toBe('{"a b":"c d')
    expect(compact('{ "a b" : "c \\')).toBe('{"a b":"c \\')
  })

  it('ends an array with the last element that fits completely', () => {
    expect(firstElements('[1, 22, 333]', 8)).toEqual({ json: '[1,22]', isCut: true })
    expect(firstElements('[1, 22, 333]', 10)).toEqual({ json: '[1,22,333]', isCut: false })
    expect(firstElements('["😀", 2]', 7)).toEqual({ json: '["😀",2]', isCut: false })
    expect(firstElements('["😀😀😀😀", 2]', 6)).toEqual({ json: '[]', isCut: true })
  })
})
