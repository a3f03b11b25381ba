import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokens } from '../../src/local/engine/tokens.ts'
import { emptyDirectory, useTestEngine } from './engine.ts'

const engine = useTestEngine()

/** A file that no response may contain, and a folder that must stay empty. */
const folder = emptyDirectory()
const secret = join(folder, 'secret')
const marker = 'what-nobody-may-read'
writeFileSync(secret, `${marker}\n`)

/** A server that must receive no requests. */
let calls = 0
const listener = createServer((_, response) => {
  calls++
  response.end(marker)
})
let address = ''

beforeAll(async () => {
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening))
  address = `127.0.0.1:${(listener.address() as AddressInfo).port}`
  await engine.run('CREATE TABLE kept (a String) ENGINE = MergeTree ORDER BY a')
  await engine.run("INSERT INTO kept VALUES ('x')")
})
afterAll(() => {
  listener.close()
})

const spelled = (statement: string): string => statement.replaceAll('SECRET', `'${secret}'`).replaceAll('OUT', folder)

async function expectRefused(statement: string, fields: Record<string, string> = {}): Promise<void> {
  const sql = spelled(statement).replaceAll('ADDRESS', address)
  const { status, text } = await engine.failure(sql, fields)
  expect([sql, status >= 400, text.includes(marker)]).toEqual([sql, true, false])
  expect([sql, calls, readdirSync(folder)]).toEqual([sql, 0, ['secret']])
  expect(await engine.run('SELECT 1')).toBe('1')
}

describe('the function that reads files is refused in every spelling', () => {
  it.each([
    'SELECT file(SECRET)',
    'SELECT file (SECRET)',
    'SELECT file\n\t(SECRET)',
    'SELECT file/* x */(SECRET)',
    'SELECT file /* /* x */ */ (SECRET)',
    'SELECT file -- x\n(SECRET)',
    'SELECT file # x\n(SECRET)',
    'SELECT file // x\n(SECRET)',
    'SELECT file\u00a0(SECRET)',
    'SELECT file\u200b(SECRET)',
    'SELECT file\u3000\ufeff(SECRET)',
    'SELECT `file`(SECRET)',
    'SELECT "file"(SECRET)',
    'SELECT \u201cfile\u201d(SECRET)',
    'SELECT `fi\\x6ce`(SECRET)',
    'SELECT "\\x66\\x69\\x6c\\x65" (SECRET)',
    'SELECT "fi\\Nle"(SECRET)',
    "SELECT 1 WHERE file(SECRET) != ''",
    ...['SELECT (SELECT (SELECT file(SECRET)))', 'WITH file(SECRET) AS x SELECT x'],
    ...['WITH (x -> file(x)) AS f SELECT f(SECRET)', 'SELECT arrayMap(file, [SECRET])'],
    ...['SELECT arrayMap(file AS f, [SECRET])', 'SELECT arrayMap((file), [SECRET])'],
    ...['SELECT arrayMap(x -> file(x), [SECRET])', 'SELECT * APPLY file FROM (SELECT SECRET)'],
    ...['SELECT * APPLY(file) FROM (SELECT SECRET)', 'SELECT * APPLY `file` FROM (SELECT SECRET)'],
    "SELECT COLUMNS('a') APPLY(x -> file(x)) FROM (SELECT SECRET AS a)",
    ...['EXPLAIN SELECT file(SECRET)', 'EXPLAIN SYNTAX SELECT file(SECRET)', 'INSERT INTO kept SELECT file(SECRET)'],
    ...['INSERT INTO kept VALUES (file(SECRET))', 'INSERT INTO kept FORMAT Values (`file`(SECRET))'],
    'INSERT INTO kept VALUES ("fi\\x6ce"(assumeNotNull(SECRET)))',
    "INSERT INTO kept VALUES ('a'), -- '\n(file(SECRET)), --'\n('b')",
    "INSERT INTO kept VALUES (/*'*/file(SECRET)/*'*/)",
    'INSERT INTO kept VALUES (arrayMap({f:Identifier}, [SECRET])[1])',
    `INSERT INTO kept VALUES ${"('y'),".repeat(50_000)}(file(assumeNotNull(SECRET)))`,
    'CREATE VIEW v AS SELECT file(SECRET) AS a',
    'CREATE VIEW v AS SELECT arrayMap({f:Identifier}, [SECRET]) AS a',
    'CREATE MATERIALIZED VIEW v ENGINE = Memory AS SELECT file(a) AS a FROM kept',
    'CREATE TABLE t ENGINE = Memory AS SELECT file(SECRET) AS a',
    'CREATE TABLE t (a String DEFAULT file(SECRET)) ENGINE = Memory',
    'CREATE FUNCTION f AS x -> file(x)',
    'ALTER TABLE kept ADD COLUMN b String DEFAULT file(SECRET)',
    'ALTER TABLE kept UPDATE a = file(SECRET) WHERE 1',
    'SELECT 1 AS $a, 2 AS b$, file(SECRET), 1 AS $a, 2 AS b$',
    "SELECT * FROM format(JSONEachRow, 'a String DEFAULT file(''OUT/secret'')', '{}')",
    "SELECT * FROM format(Values, 'a String', '(file(''OUT/secret''))')",
    "SELECT * FROM format('{' = '' ? '' : 'Values', 'a String', '(file(''OUT/secret''))')",
    "SELECT * FROM eval('SELECT file(''OUT/secret'')') SETTINGS allow_experimental_eval_table_function = 1",
    "SELECT SECRET AS a SETTINGS additional_result_filter = 'throwIf(1, file(a))'",
    "SELECT * FROM kept SETTINGS additional_table_filters = {'kept': 'throwIf(1, file(''OUT/secret''))'}",
    "SELECT * FROM kept SETTINGS additional_table_filters = {'kept': 'throwIf(1, fil\\x65(''OUT/secret''))'}",
    "SELECT * FROM kept SETTINGS additional_table_filters = {'kept': 'throwIf(1, file\\f(\\'OUT/secret\\'))'}",
    "SELECT * FROM kept SETTINGS additional_table_filters = {'kept': x'7468726f774966'}",
    "SELECT * FROM kept SETTINGS additional_table_filters = {'kept': $$throwIf(1, file('OUT/secret'))$$}",
    'SELECT * FROM kept SETTINGS `additional_table_filters` = {f:Map(String, String)}',
    "SELECT * FROM kept SETTINGS additional_table_filters = {'kept': 'a IN (SELECT a FROM kept SETTINGS additional_table_filters = {''kept'': ''throwIf(1, file(OUT/secret))''})'}",
    'SELECT 1 FORMAT Template SETTINGS format_template_resultset = SECRET',
    'SELECT 1 AS a FORMAT Template SETTINGS format_template_row = SECRET',
    "SELECT 1 AS a SETTINGS format_schema = 'OUT/secret:M' FORMAT Protobuf",
    "SET dialect = 'kusto'",
  ])('%s', (statement) => expectRefused(statement))

  it('the function is also refused in parameters and settings of the request', async () => {
    await expectRefused('SELECT arrayMap({f:Identifier}, [SECRET])', { param_f: 'file' })
    await expectRefused('SELECT arrayMap({ f /* */ : Identifier }, [SECRET])', { param_f: 'file' })
    await expectRefused('SELECT 1', { dialect: 'kusto' })
    await expectRefused('SELECT * FROM kept', {
      additional_table_filters: spelled("{'kept': 'throwIf(1, file(\\'OUT/secret\\'))'}"),
    })
    await expectRefused('SELECT * FROM kept SETTINGS additional_table_filters = {f:Map(String, String)}', {
      param_f: spelled("{'kept': 'throwIf(1, file(\\'OUT/secret\\'))'}"),
    })
    await expectRefused('SELECT 1 AS a', { additional_result_filter: spelled('throwIf(1, file(SECRET))') })
    await expectRefused('SELECT 1 FORMAT Template', { format_template_resultset: secret })
    for (const setting of ['interpret_expressions', 'deduce_templates_of_expressions']) {
      const fields = { [`input_format_values_${setting}`]: '1' }
      await expectRefused('INSERT INTO kept VALUES (`file`(SECRET))', fields)
    }
    expect(await engine.run("SELECT count() FROM kept WHERE a != 'x'")).toBe('0')
  })
})

describe('statements cannot read, write, call or run anything outside the engine', () => {
  it.each([
    "SELECT * FROM file(SECRET, LineAsString, 'a String')",
    'SELECT * FROM `OUT/secret`',
    "SELECT * FROM FILE(SECRET, 'LineAsString')",
    'SELECT * FROM loop(file(SECRET, LineAsString))',
    'SELECT * FROM view(SELECT * FROM file(SECRET, LineAsString))',
    'DESCRIBE TABLE file(SECRET, LineAsString)',
    'SELECT 1 IN file(SECRET, LineAsString)',
    "SELECT * FROM filesystem('OUT')",
    "SELECT * FROM fileCluster('x', SECRET, 'LineAsString')",
    "SELECT * FROM url('http://ADDRESS/', LineAsString, 'a String')",
    "SELECT * FROM URL\u2003('http://ADDRESS/', LineAsString, 'a String')",
    "SELECT * FROM `url`('http://ADDRESS/', LineAsString, 'a String')",
    "SELECT * FROM s3('http://ADDRESS/bucket/x', LineAsString, 'a String')",
    "SELECT * FROM gcs('http://ADDRESS/bucket/x', LineAsString, 'a String')",
    "SELECT * FROM hdfs('hdfs://ADDRESS/x', LineAsString, 'a String')",
    "SELECT * FROM azureBlobStorage('http://ADDRESS/x', 'a', 'b')",
    "SELECT * FROM icebergLocal('OUT')",
    "SELECT * FROM deltaLakeLocal('OUT')",
    "SELECT * FROM hudi('http://ADDRESS/bucket/x')",
    "SELECT * FROM mysql('ADDRESS', 'a', 'b', 'c', 'd')",
    "SELECT * FROM postgresql('ADDRESS', 'a', 'b', 'c', 'd')",
    "SELECT * FROM mongodb('ADDRESS', 'a', 'b', 'c', 'd', 'x String')",
    "SELECT * FROM redis('ADDRESS', 'a', 'a String')",
    "SELECT * FROM sqlite('OUT/x.db', 't')",
    "SELECT * FROM odbc('DSN=x', 'y', 'z')",
    "SELECT * FROM jdbc('jdbc:x', 'y', 'z')",
    "SELECT * FROM executable('id', 'CSV', 'a String')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "SELECT * FROM remoteSecure('127.0.0.1', system.one)",
    "SELECT * FROM cluster('default', system.one)",
    "SELECT * FROM clusterAllReplicas('default', system.one)",
    "SELECT * FROM dictionary('x')",
    "SELECT * FROM arrowstream('x')",
    "INSERT INTO FUNCTION file('OUT/new.csv') SELECT 1",
    "INSERT INTO TABLE FUNCTION file('OUT/new.csv') SELECT 1",
    "INSERT INTO FUNCTION url('http://ADDRESS/', CSV, 'a Int8') SELECT 1",
    "INSERT INTO FUNCTION file('OUT/new.csv', CSV, 'a Int8') FORMAT CSV 1",
    "SELECT 1 INTO OUTFILE 'OUT/new'",
    "SELECT 1 INTO\u00a0OUTFILE 'OUT/new'",
    "(SELECT 1) INTO /* x */ OUTFILE 'OUT/new'",
    'INSERT INTO kept FROM INFILE SECRET FORMAT LineAsString',
    'INSERT INTO kept FROM\u2060INFILE SECRET FORMAT LineAsString',
    "CREATE TABLE t AS file('OUT/new.csv', CSV, 'a Int8')",
    "CREATE TABLE t AS url('http://ADDRESS/', CSV, 'a Int8')",
    'CREATE TABLE t (a String) ENGINE = File(CSV)',
    "CREATE TABLE t (a String) ENGINE File(CSV, 'OUT/new.csv')",
    "CREATE TABLE t (a String) ENGINE = `URL`('http://ADDRESS/', CSV)",
    "CREATE TABLE t (a String) ENGINE=/**/S3('http://ADDRESS/bucket/x', CSV)",
    "CREATE TABLE t (a String) ENGINE = SQLite('OUT/x.db', 't')",
    "CREATE TABLE t (a String) ENGINE = EmbeddedRocksDB(0, 'OUT/new') PRIMARY KEY a",
    "CREATE TABLE t (a String) ENGINE = Executable('id', CSV)",
    "CREATE TABLE t (a String) ENGINE = ExecutablePool('id', CSV)",
    "CREATE TABLE t (a String) ENGINE = FileLog('OUT', CSV)",
    'CREATE TABLE t (query String) ENGINE = QueryRunner',
    "CREATE TABLE t (a String) ENGINE = Distributed('x', 'default', 'kept')",
    "ATTACH TABLE t (a String) ENGINE = File(CSV, 'OUT/new.csv')",
    "ATTACH TABLE t FROM 'OUT' (a String) ENGINE = MergeTree ORDER BY a",
    "CREATE TABLE t (a String) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(type = local, path = 'OUT/new/')",
    "CREATE TABLE t (a String) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(name = 'd', type = object_storage, object_storage_type = local, path = 'OUT/new/')",
    "CREATE TABLE t (a String) ENGINE = MergeTree ORDER BY a SETTINGS disk = 'default'",
    "ALTER TABLE kept MODIFY SETTING storage_policy = 'other'",
    "CREATE DATABASE d ENGINE = Atomic SETTINGS disk = disk(name = 'd', type = object_storage, object_storage_type = local, path = 'OUT/new/')",
    "CREATE DATABASE d ENGINE = Filesystem('OUT')",
    "CREATE DATABASE d ENGINE = SQLite('OUT/x.db')",
    "CREATE DATABASE d ENGINE = MySQL('ADDRESS', 'a', 'b', 'c')",
    "CREATE DATABASE d ENGINE = S3('http://ADDRESS/bucket')",
    "CREATE DATABASE d ENGINE = Backup('x', Disk('backups', 'y'))",
    "ATTACH DATABASE d ENGINE = Filesystem('OUT')",
    "CREATE DICTIONARY d (a UInt64, b String) PRIMARY KEY a SOURCE(EXECUTABLE(COMMAND 'id' FORMAT CSV)) LAYOUT(FLAT()) LIFETIME(0)",
    'CREATE DICTIONARY d (a UInt64, b String) PRIMARY KEY a SOURCE(FILE(PATH SECRET FORMAT CSV)) LAYOUT(FLAT()) LIFETIME(0)',
    ...['CREATE NAMED COLLECTION c AS a = 1', 'CREATE WORKLOAD w', 'CREATE USER u', 'GRANT ALL ON *.* TO default'],
    "BACKUP DATABASE default TO File('OUT/new')",
    "BACKUP TABLE kept TO Memory('x')",
    "RESTORE TABLE kept FROM S3('http://ADDRESS/bucket/x')",
    "SELECT 1 SETTINGS output_format_schema = 'OUT/new' FORMAT Protobuf",
    "INSERT INTO kept SETTINGS input_format_record_errors_file_path = 'OUT/new' FORMAT CSV 1",
    "SELECT 1 SETTINGS format_avro_schema_registry_url = 'http://ADDRESS/'",
    ...['SELECT * FROM system.users', 'SELECT addressToLine(1) SETTINGS allow_introspection_functions = 1'],
    ...['SYSTEM SHUTDOWN', 'SYSTEM KILL', 'SYSTEM SUSPEND FOR 1 SECOND', 'SYSTEM FLUSH LOGS'],
    ...['SYSTEM JEMALLOC FLUSH PROFILE', 'SYSTEM RELOAD DICTIONARIES', 'SYSTEM STOP MERGES', 'SYSTEM START MERGES'],
    ...['system stop merges kept', 'CREATE TABLE t (a Int8) ENGINE = Memory PARALLEL WITH SYSTEM STOP MERGES'],
    'ALTER TABLE kept FREEZE',
    "ALTER TABLE kept FREEZE WITH NAME 'x'",
    "ALTER TABLE kept FETCH PARTITION tuple() FROM '/x'",
    "CREATE TABLE merged ENGINE = Merge('default', '.*')",
    "CREATE TABLE merged2 (name String) ENGINE = Merge(system, 'users')",
    "CREATE TABLE merged3 (name String) ENGINE = Merge(REGEXP('.*'), 'users')",
    "CREATE TABLE merged4 AS merge('system', 'users')",
  ])('%s', (statement) => expectRefused(statement))

  it('a function is also refused if a table has its name', async () => {
    await engine.run('CREATE TABLE renamed (a String) ENGINE = Memory')
    await engine.run('RENAME TABLE renamed TO url')
    await expectRefused("SELECT * FROM url('http://ADDRESS/', LineAsString, 'a String')")
    expect(await engine.run('SELECT count() FROM url')).toBe('0')
  })
})

describe('a file is not a table in the database default', () => {
  it.each([
    ...['EXISTS TABLE `OUT/secret`', 'EXISTS "OUT/secret"', 'EXISTS VIEW default.`OUT/secret`'],
    `EXISTS TABLE \`${secret.replaceAll('/', '\\x2f')}\``,
    ...['EXISTS TABLE {f:Identifier}', 'SELECT * FROM `OUT/secret`', 'INSERT INTO `OUT/secret` VALUES (1)'],
    'CREATE VIEW v AS SELECT * FROM `OUT/secret`',
    'CREATE MATERIALIZED VIEW view_to TO `OUT/secret` AS SELECT a FROM kept',
    "CREATE TABLE buffer (a String) ENGINE = Buffer('default', 'OUT/secret', 1, 1, 1, 1, 1, 1, 1)",
    "CREATE TABLE other ENGINE = Alias('default', 'OUT/secret')",
    "CREATE TABLE t AS loop('default', 'OUT/secret')",
    "SELECT hasColumnInTable('default', 'OUT/secret', 'a')",
    "INSERT INTO kept VALUES (toString(hasColumnInTable('default', 'OUT/secret', 'a')))",
    "SELECT arrayMap(t -> hasColumnInTable('default', t, 'a'), ['OUT/secret'])",
  ])('%s', (statement) => expectRefused(statement, { param_f: secret }))

  it('files in the folder in which the engine was started are not tables, either', async () => {
    expect(readdirSync('.')).toContain('package.json')
    expect(await engine.run('EXISTS TABLE `package.json`')).toBe('0')
    expect(await engine.run('EXISTS TABLE kept')).toBe('1')
  })
})

describe('statements that stay inside the engine are accepted', () => {
  it.each(
    [
      ["SELECT format('{}-{}', 'a', 'b'), 'file(1)', `x.file` FROM (SELECT 1 AS `x.file`)", 'a-b\tfile(1)\t1'],
      ['SELECT sum(number) FROM numbers(4)', '6'],
      ['SELECT count() FROM zeros(3) AS a, view(SELECT 1) AS b', '3'],
      ["SELECT * FROM values('a String', 'x')", 'x'],
      ["SELECT count() FROM kept SETTINGS additional_table_filters = {'kept': 'a = \\'file\\''}", '0'],
      ["SELECT count() FROM generateRandom('a Int8') LIMIT 0", ''],
      ["SELECT count() FROM merge(currentDatabase(), '^kept$')", '1'],
      ["SELECT engine FROM system.tables WHERE name = 'kept' AND engine = 'MergeTree'", 'MergeTree'],
    ].filter(([sql]) => !sql!.includes('engine File')),
  )('%s', async (sql, answer) => {
    expect(await engine.run(sql)).toBe(answer)
  })

  it('expressions in the rows of an insert are accepted, too', async () => {
    await engine.run('CREATE TABLE rows (a String, b Array(Int32)) ENGINE = Memory')
    await engine.run(`INSERT INTO rows VALUES (concat('a', 'it''s {"a": \\'file\\'}'), [1 + 1]), (5, [])`)
    await engine.run('INSERT INTO rows VALUES (upper({x:String}), [])', { param_x: 'c' })
    await engine.run(`INSERT INTO rows FORMAT Values ('"file"', [3])`)
    expect(await engine.run('SELECT a FROM rows ORDER BY a')).toBe('"file"\n5\nC\nait\\\'s {"a": \\\'file\\\'}')
  })
})

describe('the tokenizer reads statements as ClickHouse does', () => {
  it('treats the same characters as whitespace', async () => {
    const codes = [...Array(0x3100).keys(), 0xfeff, 0xffff].slice(1)
    const statement = (code: number) => `SELECT f${String.fromCodePoint(code)}(1)`
    await engine.run('CREATE TABLE statements (code UInt32, text String) ENGINE = Memory')
    const rows = codes.map((code) => JSON.stringify({ code, text: statement(code) })).join('\n')
    await engine.run(`INSERT INTO statements FORMAT JSONEachRow ${rows}`)
    const taken = await engine.run(
      "SELECT code FROM statements WHERE formatQueryOrNull(text) = formatQueryOrNull('SELECT f(1)') ORDER BY code",
    )
    const blanks = codes.filter((code) => {
      const text = Buffer.from(statement(code)).toString('latin1')
      return [...tokens(text)].map((token) => token.text).join(' ') === 'SELECT f ( 1 )'
    })
    expect(taken.split('\n').map(Number)).toEqual(blanks)
  })
})
