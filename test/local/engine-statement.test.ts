import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStatement } from '../../src/local/engine/statement.ts'

const insert = (text: string) => {
  const { sql, format, rowsAt } = readStatement(text)
  return { sql, format, rows: rowsAt === undefined ? undefined : text.slice(rowsAt) }
}

describe('statements', () => {
  it.each([
    ['SELECT 1 FORMAT JSON', 'JSON'],
    ['select 1 format JSON settings max_threads = 1;', 'JSON'],
    ['SELECT 1 SETTINGS max_threads = 1 FORMAT TSV', 'TSV'],
    ['SELECT 1 AS format', undefined],
    ['SELECT format x FROM t', undefined],
    ["SELECT ' FORMAT JSON'", undefined],
    ['SELECT 1 -- FORMAT JSON', undefined],
    ['SELECT (SELECT 1 FORMAT JSON)', undefined],
    ['SHOW TABLES FORMAT /* x */ CSV -- y', 'CSV'],
  ])('specify a format: %s', (text, format) => {
    expect(readStatement(text).format).toBe(format)
  })

  it.each([
    ['INSERT INTO t FORMAT CSV\n1;2', 'INSERT INTO t ', 'CSV', '1;2'],
    ['INSERT INTO t FORMAT CSV \t\r\n\n1', 'INSERT INTO t ', 'CSV', '\n1'],
    ['INSERT INTO t FORMAT CSV 1', 'INSERT INTO t ', 'CSV', '1'],
    ['INSERT INTO t VALUES (1); (2)', 'INSERT INTO t ', 'Values', ' (1); (2)'],
    ['insert t values(1)', 'insert t ', 'Values', '(1)'],
    [
      'INSERT INTO t (a, format, values) SETTINGS x = 1 FORMAT values (1)',
      ...['INSERT INTO t (a, format, values) SETTINGS x = 1 ', 'Values', '(1)'],
    ],
    ['INSERT INTO format FORMAT CSV 1', 'INSERT INTO format ', 'CSV', '1'],
    ['INSERT INTO values VALUES (1)', 'INSERT INTO values ', 'Values', ' (1)'],
    ['INSERT INTO `a;b`."c d" FORMAT CSV', 'INSERT INTO `a;b`."c d" ', 'CSV', ''],
  ])('are split into SQL, format and rows: %s', (text, sql, format, rows) => {
    expect(insert(text)).toEqual({ sql, format, rows })
  })

  it.each([
    'INSERT INTO t SELECT 1 FORMAT Null',
    'INSERT INTO t WITH x AS (SELECT 1) SELECT * FROM x',
    'SELECT * FROM format.values',
    "EXPLAIN SELECT 'VALUES'",
  ])('are recognised as having no inline rows: %s', (text) => {
    expect(readStatement(text).rowsAt).toBeUndefined()
  })

  it.each([
    'SELECT 1; SELECT 2',
    "SELECT 'a\\'; SELECT 2' ; SELECT 3",
    'SELECT 1 /* ; */ ; /* /* ; */ */ SELECT 2',
    'SELECT $a$ ; $b$ ; $a$ ; SELECT 2',
    'SELECT 1 -- x\n; SELECT 2',
    ...['SELECT 1;;DROP TABLE t', 'SELECT "a""; b"; SELECT 2', 'INSERT INTO t SELECT 1; SELECT 2'],
  ])('are refused if there are several: %s', (text) => {
    expect(() => readStatement(text)).toThrow('Multi-statements are not allowed')
  })

  it.each([
    'SELECT 1;',
    'SELECT 1 ; -- ;\n',
    "SELECT 'a''; b', 'c\\\\'",
    'SELECT $$ ; $$',
    'SELECT `;`, ";"',
    "SELECT x'3B;",
    'SELECT \xe2\x80\x98;\xe2\x80\x99',
    'SELECT 1 # ; x\n',
    'SELECT 1 // ;',
    "SELECT 'never closed ; SELECT 2",
  ])('count as one if semicolons are only in strings, in comments or at the end: %s', (text) => {
    expect(() => readStatement(text)).not.toThrow()
  })

  it('are either parsed or refused, whatever they contain', () => {
    const piece = fc.constantFrom(
      "'",
      '\\',
      ...['"', '`', '$', '$a$', '--', '/*', '*/'],
      '\n',
      ...[';', '(', ')', 'SELECT', 'INSERT INTO t', 'FORMAT', 'VALUES', ' ', 'x'],
      '\xe2\x80\x98',
      '#',
      '0x',
      "b'",
    )
    const property = fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      try {
        const statement = readStatement(pieces.join(''))
        expect(pieces.join('').startsWith(statement.sql)).toBe(true)
      } catch (error) {
        expect((error as { code?: number }).code).toBeTypeOf('number')
      }
    })
    fc.assert(property, { numRuns: 3000 })
  })
})
