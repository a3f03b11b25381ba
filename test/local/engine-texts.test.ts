import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { emptyDirectory, useTestEngine } from './engine.ts'

/** Tests strings that name tables or contain SQL in statements. In chdb, a table's name may be a file path. */

const engine = useTestEngine()

const marker = 'what-nobody-may-read'
const secret = join(emptyDirectory(), 'secret')
writeFileSync(secret, marker)

beforeAll(async () => {
  await engine.run('CREATE TABLE kept (a String) ENGINE = MergeTree ORDER BY a')
  await engine.run('CREATE TABLE joined (a String, b String) ENGINE = Join(ANY, LEFT, a)')
  await engine.run("INSERT INTO joined VALUES ('x', 'y')")
})

/** The response for a path, with the path replaced by `PATH`. */
async function answerFor(statement: string, path: string, fields: Record<string, string> = {}): Promise<string> {
  const own = Object.entries(fields).map(([name, value]) => [name, value.replaceAll('PATH', path)])
  const { status, text } = await engine.failure(statement.replaceAll('PATH', path), Object.fromEntries(own))
  return `${status} ${text.replaceAll(path, 'PATH')}`
}

/** Expects a refusal whose text does not reveal whether the file exists. */
async function expectRefused(statement: string, fields: Record<string, string> = {}): Promise<void> {
  const answer = await answerFor(statement, secret, fields)
  expect(answer).toMatch(/^403 .*\(ACCESS_DENIED\)/)
  expect(answer).toContain('in this engine, which keeps to its own tables')
  expect(answer).not.toContain(marker)
  expect(await answerFor(statement, '/no/such/file', fields)).toBe(answer)
}

describe('a function that takes a table name as a string is refused', () => {
  it.each([
    "SELECT joinGet('joined', 'b', 'x')",
    "SELECT joinGet('PATH', 'b', 'x')",
    "SELECT joinGetOrNull('PATH', 'b', 'x')",
    "SELECT `joinGet`('PATH', 'b', 'x')",
    "SELECT arrayMap(joinGet, ['PATH'], ['b'], ['x'])",
    "SELECT * FROM view(SELECT joinGet('PATH', 'b', 'x'))",
    "SELECT hasColumnInTable('default', 'PATH', 'a')",
    "SELECT * FROM mergeTreeIndex('default', 'PATH')",
    "SELECT * FROM mergeTreeProjection('default', 'PATH', 'p')",
    "SELECT * FROM mergeTreeTextIndex('default', 'PATH', 'i')",
    "SELECT * FROM mergeTreeAnalyzeIndexes('default', 'PATH')",
    "SELECT * FROM mergeTreeAnalyzeIndexesUUID('00000000-0000-0000-0000-000000000001')",
    "SELECT * FROM loop('default', 'PATH')",
    "SELECT * FROM dictionary('PATH')",
  ])('%s', (statement) => expectRefused(statement))

  it('such a function is also refused in a parameter', () =>
    expectRefused("SELECT arrayMap({f:Identifier}, ['PATH'])", { param_f: 'joinGet' }))
})

describe('a column list in a string', () => {
  it.each([
    "SELECT a FROM values('b String, a String ALIAS file(''PATH'')', 'x')",
    "SELECT a FROM values('b String, a String ALIAS fi\\x6ce(''PATH'')', 'x')",
    "SELECT a FROM values('b String, a String ALIAS `fi\\\\x6ce`(''PATH'')', 'x')",
    "SELECT a FROM values('b String, a String DEFAULT joinGet(''PATH'', ''a'', 1)', 'x')",
    "SELECT a FROM values('b String, a String ALIAS arrayMap({f:Identifier}, [''PATH''])[1]', 'x')",
    "SELECT a FROM VALUES ('b String, a String ALIAS file(''PATH'')', 'x')",
    "SELECT a FROM `values`('b String, a String ALIAS file(''PATH'')', 'x')",
    "SELECT a FROM values({s:String}, 'x')",
    "SELECT a FROM values(concat('b String, a String ALIAS fi', 'le(''PATH'')'), 'x')",
    "SELECT a FROM values(('b String, a String ALIAS file(''PATH'')'), 'x')",
    "SELECT a FROM values('b String, a String' || ' ALIAS file(''PATH'')', 'x')",
    "SELECT a FROM values($$b String, a String ALIAS file('PATH')$$, 'x')",
    "SELECT a FROM values(x'6220537472696e67', 'x')",
    "SELECT a FROM SQLStandardValues('b String, a String ALIAS file(''PATH'')', 'x')",
    "SELECT * FROM generateRandom('a String DEFAULT file(''PATH'')') LIMIT 1",
    "SELECT * FROM generateRandom('a String ' || 'DEFAULT file(''PATH'')') LIMIT 1",
    "SELECT a FROM null('b String, a String ALIAS file(''PATH'')')",
    "SELECT * FROM view(SELECT a FROM values('b String, a String ALIAS file(''PATH'')', 'x'))",
    "INSERT INTO kept SELECT a FROM values('b String, a String ALIAS file(''PATH'')', 'x')",
    "SELECT structureToCapnProtoSchema('a String DEFAULT file(''PATH'')')",
    "SELECT structureToProtobufSchema('a String DEFAULT file(''PATH'')')",
  ])('is refused if it could read other data: %s', (statement) =>
    expectRefused(statement, { param_f: 'file', param_s: "b String, a String ALIAS file('PATH')" }),
  )

  it('cannot be sent as a setting', async () => {
    const hints = { schema_inference_hints: `a String DEFAULT file('${secret}')` }
    expect((await engine.failure('SELECT 1', hints)).text).toContain('SETTING_CONSTRAINT_VIOLATION')
  })

  it('works if it stays inside the engine', async () => {
    expect(await engine.run("SELECT b FROM values('a UInt8, b String ALIAS toString(a + 1)', 1, 2)")).toBe('2\n3')
    expect(await engine.run("SELECT toTypeName(a) FROM generateRandom('a Decimal(9, 2)') LIMIT 1")).toBe(
      'Decimal(9, 2)',
    )
    await engine.run("INSERT INTO FUNCTION null('a Int8') VALUES (1)")
  })
})

describe('a row in an insert cannot read a table', () => {
  it.each([
    ...['((SELECT max(name) FROM system.tables))', '((select 1))', '((FROM kept SELECT max(a)))'],
    ...['((WITH 1 AS x SELECT toString(x)))', '((EXPLAIN SELECT 1))'],
    "((SELECT b FROM sqlite('PATH', 't')))",
    "((SELECT a FROM values('b String, a String ALIAS file(''PATH'')', 'x')))",
    "((VALUES ('x')))",
    "(toString('x' IN kept))",
    "(toString('x' NOT IN (SELECT a FROM kept)))",
    "(toString(in('x', kept)))",
    "(toString(notIn('x', kept)))",
    "(toString(globalNotNullIn('x', kept)))",
    "(toString(inIgnoreSet('x', kept)))",
    "(joinGet('joined', 'b', 'x'))",
    "(joinGet('PATH', 'b', 'x'))",
    "(assumeNotNull(joinGetOrNull('joined', 'b', 'x')))",
    "(structureToProtobufSchema('a String DEFAULT file(''PATH'')'))",
  ])('INSERT INTO kept VALUES %s', async (rows) => {
    for (const start of [
      'INSERT INTO kept VALUES',
      "INSERT INTO kept VALUES ('literal'),",
      'INSERT INTO kept FORMAT Values',
    ]) {
      const answer = await answerFor(`${start} ${rows}`, secret)
      expect(answer).toMatch(/^[45]/)
      expect(await answerFor(`${start} ${rows}`, '/no/such/file')).toBe(answer)
    }
    expect(await engine.run("SELECT count() FROM kept WHERE a != 'literal'")).toBe('0')
  })

  it('a row may contain expressions and any text', async () => {
    await engine.run('CREATE TABLE texts (a String) ENGINE = Memory')
    await engine.run(
      "INSERT INTO texts VALUES (lower('SELECT x FROM y')), (toString(min2(1, 2))), ('in'), (upper('b'))",
    )
    expect(await engine.run('SELECT a FROM texts')).toBe('select x from y\n1\nin\nB')
  })
})
