import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openKept } from '../../src/local/engine/kept.ts'
import { readStatement } from '../../src/local/engine/statement.ts'
import { runs } from '../support/long.ts'
import { summaryOf, useTestEngine } from './engine.ts'

const sessions = 4
const engine = useTestEngine({ sessions })

/** An expression that identifies the connection. */
const mark = "getSetting('stream_like_engine_insert_queue')"
const connectionOf = (fields: Record<string, string> = {}, more = '') => engine.run(`SELECT ${mark}${more}`, fields)

/** The settings of every statement that Weir sends. */
const settings = { readonly: '2', max_execution_time: '30', output_format_json_quote_64bit_integers: '0' }
const full = { ...settings, database: 'home', max_threads: '3', param_a: '1', param_b: '2' }
const shown = "getSetting('max_threads'), getSetting('max_result_rows'), getSetting('readonly'), currentDatabase()"

const without = (name: keyof typeof full) => Object.fromEntries(Object.entries(full).filter(([key]) => key !== name))

/** Enough rows for a result in several blocks. */
const many = 200_000

beforeAll(async () => {
  for (const name of ['home', 'away']) {
    await engine.run(`CREATE DATABASE ${name}`)
    await engine.run(`CREATE TABLE ${name}.named ENGINE = MergeTree ORDER BY name AS SELECT '${name}' AS name`)
  }
  await engine.run(`CREATE TABLE home.many ENGINE = MergeTree ORDER BY n AS SELECT number AS n FROM numbers(${many})`)
})

describe('a connection', () => {
  it.each(['0', '1', '2'])('is reused for an equivalent request, with readonly=%s', async (readonly) => {
    const ask = (a: string, b: string) =>
      connectionOf({ ...full, readonly, param_a: a, param_b: b }, `, {a:String}, {b:String}, ${shown}`)
    const [first, ...rest] = (await ask('x', "it's \\\\")).split('\t')
    expect(rest.slice(0, 2)).toEqual(['x', "it\\'s \\\\"])
    for (let round = 0; round < 5; round++)
      expect(await ask(`${round}`, '')).toBe([first, round, '', 3, 0, readonly, 'home'].join('\t'))
  })

  it('is reused without parameters, and after a result that is streamed to its end', async () => {
    const kept = await connectionOf(settings)
    expect(await connectionOf(settings)).toBe(kept)
    for (const format of ['TSV', 'CSVWithNames', 'JSON'])
      await engine.run(`SELECT n FROM home.many FORMAT ${format}`, settings)
    expect(await connectionOf(settings)).toBe(kept)
  })

  it('is reused for a request with a different log comment, and uses only that comment', async () => {
    const ask = async (more: Record<string, string> = {}) =>
      (await connectionOf({ ...full, ...more }, ", getSetting('log_comment')")).split('\t')
    const [kept] = await ask({ log_comment: 'first' })
    expect(await ask({ log_comment: "the request's own" })).toEqual([kept, "the request\\'s own"])
    const [other, comment] = await ask()
    expect([other === kept, comment]).toEqual([false, ''])
  })

  it.each([
    ['a missing setting', without('max_threads'), '\t0\t2\thome'],
    ['an additional setting', { ...full, max_result_rows: '7' }, '3\t7\t2\thome'],
    ['another value of a setting', { ...full, max_threads: '4' }, '4\t0\t2\thome'],
    ['another readonly', { ...full, readonly: '1' }, '3\t0\t1\thome'],
    ['no readonly', without('readonly'), '3\t0\t0\thome'],
    ['another database', { ...full, database: 'away' }, '3\t0\t2\taway'],
    ['no database', without('database'), '3\t0\t2\tdefault'],
    ['a missing parameter', without('param_a'), '3\t0\t2\thome'],
    ['an additional parameter', { ...full, param_c: '3' }, '3\t0\t2\thome'],
    ['another parameter', { ...without('param_a'), param_c: '1' }, '3\t0\t2\thome'],
    ['a setting named like a parameter', { ...without('param_a'), a: '1' }, undefined],
  ])('is not reused for a request with %s', async (_, fields, state) => {
    const kept = await connectionOf(full)
    if (state === undefined) expect(await engine.failure('SELECT 1', fields)).toMatchObject({ code: 115 })
    else {
      const [other, ...rest] = (await connectionOf(fields, `, ${shown}`)).split('\t')
      expect(other).not.toBe(kept)
      expect(rest.join('\t').endsWith(state)).toBe(true)
    }
    expect(await connectionOf(full, `, ${shown}`)).toBe(`${kept}\t3\t0\t2\thome`)
  })

  it('does not let a GET write after an identical POST', async () => {
    const get = (query: string) => fetch(`${engine.url()}/?${new URLSearchParams({ query })}`)
    const posted = await connectionOf()
    expect(await (await get(`SELECT ${mark} = '${posted}', getSetting('readonly')`)).text()).toBe('0\t2\n')
    expect((await get('INSERT INTO home.many SELECT 1')).headers.get('x-clickhouse-exception-code')).toBe('164')
    expect(await connectionOf()).toBe(posted)
  })

  it('refuses a role every time', async () => {
    await connectionOf(settings)
    for (let round = 0; round < 3; round++)
      expect(await engine.failure('SELECT 1', { ...settings, role: 'nope' })).toMatchObject({ code: 511 })
  })

  it('does not keep parameters of the previous request', async () => {
    const sql = 'SELECT {a:String}, {left:String}'
    for (let round = 0; round < 3; round++) {
      expect(await engine.run(sql, { ...full, param_left: `${round}` })).toBe(`1\t${round}`)
      expect((await engine.failure(sql, full)).code).toBe(456)
      expect((await engine.failure('SELECT {a:String}', settings)).code).toBe(456)
    }
    // This parameter has the same name but a different type.
    expect(await engine.run('SELECT {a:Array(String)}', { ...full, param_a: "['x']" })).toBe("['x']")
    expect(await engine.run('SELECT {a:UInt8} + 1', full)).toBe('2')
  })

  it('does not keep settings of the previous statement', async () => {
    const kept = await connectionOf(settings)
    const changed = 'SELECT count(), sum(cityHash64(name, value, changed)) FROM system.settings'
    const [before, zone] = [await engine.run(changed, settings), await engine.run('SELECT toDateTime(0)', settings)]
    await engine.run(
      "SELECT toDateTime(0) SETTINGS session_timezone = 'Asia/Tokyo', max_threads = 1, extremes = 1, limit = 1 FORMAT JSON",
      settings,
    )
    await engine.run("FROM numbers(3) SELECT toDateTime(0) SETTINGS session_timezone = 'Asia/Tokyo'", settings)
    expect(await engine.run('SELECT toDateTime(0)', settings)).toBe(zone)
    expect(await engine.run(changed, settings)).toBe(before)
    expect(await connectionOf(settings)).toBe(kept)
  })

  it('gives each statement a new time, new random values and a new query id', async () => {
    const sql = `SELECT ${mark}, now64(9), rand(), generateUUIDv4(), queryID()`
    const [one, two] = [(await engine.run(sql, settings)).split('\t'), (await engine.run(sql, settings)).split('\t')]
    expect(one.map((value, at) => value === two[at])).toEqual([true, false, false, false, false])
  })

  it('reports only what its current statement has read', async () => {
    const read = async (sql: string) => {
      const response = await engine.send(settings, { body: sql })
      await response.text()
      return summaryOf(response).read_rows
    }
    const kept = await connectionOf(settings)
    for (const format of ['TSV', 'JSON', 'CSVWithNames']) {
      expect(await read(`SELECT sum(n) FROM home.many FORMAT ${format}`)).toBe(many)
      expect(await read(`SELECT n FROM home.many WHERE 0 FORMAT ${format}`)).toBe(0)
      expect(await read(`SELECT sum(n) FROM home.many WHERE n < 10 FORMAT ${format}`)).toBeLessThan(20_000)
    }
    expect(await connectionOf(settings)).toBe(kept)
  })

  it('is not kept after an error, whether early or late', async () => {
    const late = 'SELECT throwIf(number = 400000), number FROM numbers(500000)'
    for (const sql of ['SELECT throwIf(1)', 'SELECT nope', 'SELECT {c:String}', late, `${late} FORMAT JSON`]) {
      const kept = await connectionOf(full)
      const answer = engine.send(full, { body: sql }).then((response) => response.text())
      await answer.catch(() => {})
      expect(await connectionOf(full, `, ${shown}`)).not.toContain(`${kept}\t`)
    }
  })

  it('is not kept if its settings leave no room for parameters', async () => {
    const fields = { max_query_size: '60', param_long: 'x'.repeat(100) }
    for (let round = 0; round < 3; round++) expect(await engine.run('SELECT length({long:String})', fields)).toBe('100')
  })

  it('is not kept after parameters longer than a statement', async () => {
    const ask = async (value: string) => {
      const form = new FormData()
      form.set('query', `SELECT ${mark}, length({p:String}), count() FROM system.settings WHERE changed`)
      form.set('param_p', value)
      const response = await fetch(engine.url(), { method: 'POST', body: form })
      return (await response.text()).trimEnd().split('\t')
    }
    const short = await ask('x')
    expect((await ask('x'.repeat(300_000)))[1]).toBe('300000')
    expect(await ask('y')).toEqual(short)
  })
})

describe('statements other than queries', () => {
  it.each([
    'SET max_threads = 9',
    "SET param_a = 'other'",
    ...['USE away', 'CREATE TEMPORARY TABLE mine (a Int8)', 'SET ROLE NONE', 'INSERT INTO FUNCTION null() SELECT 1'],
    "INSERT INTO FUNCTION null('a Int8') VALUES (1)",
    ...['WITH 1 AS x INSERT INTO FUNCTION null() SELECT x', 'EXPLAIN SELECT 1', 'SHOW TABLES'],
    "SELECT ';'",
  ])('close their connection: %s', async (sql) => {
    const fields = { database: 'home', max_threads: '3', param_a: '1' }
    const state = '1\t3\t0\t0\thome'
    const number = (connection: string) => Number(connection.slice('weir-'.length))
    const before = number(await connectionOf(fields))
    await engine.run(sql, fields)
    const [after, ...rest] = (await connectionOf(fields, `, {a:String}, ${shown}`)).split('\t')
    // The statement used the connection opened after `before`.
    expect(number(after!)).not.toBe(before + 1)
    expect(rest.join('\t')).toBe(state)
    expect((await engine.failure('SELECT * FROM mine', fields)).code).toBe(60)
  })

  it('close all kept connections unless they are inserts', async () => {
    const kept = await connectionOf(full)
    await engine.run('CREATE TABLE home.filled (a String) ENGINE = MergeTree ORDER BY a')
    const next = await connectionOf(full)
    expect(next).not.toBe(kept)
    const writing = without('readonly')
    const other = await connectionOf(writing)
    await engine.run("INSERT INTO filled VALUES ('one')", writing)
    await engine.run(`INSERT INTO filled SELECT ${mark}`, writing)
    expect(await engine.run(`SELECT ${mark}, count(), countIf(a = '${other}') FROM filled`, full)).toBe(`${next}\t2\t0`)
    expect(await connectionOf(writing)).toBe(other)
    await engine.failure('DROP TABLE home.nope')
    expect(await connectionOf(full)).not.toBe(next)
  })

  it.each([
    ['SELECT 1', 'none'],
    ['(select 1) UNION ALL SELECT 2', 'none'],
    ['WITH 1 AS x SELECT x', 'none'],
    ['FROM t SELECT 1;', 'none'],
    ['INSERT INTO t VALUES (1); x', 'rows'],
    ['INSERT INTO t SELECT 1', 'rows'],
    ["INSERT INTO t SELECT ';'", 'any'],
    ["SELECT ';'", 'any'],
    ['SELECT 1 /* ; */', 'any'],
    ['WITH 1 AS x INSERT INTO t SELECT x', 'any'],
    ['ALTER TABLE insert DELETE WHERE 1', 'any'],
    ['SHOW TABLES', 'any'],
    ['SET a = 1', 'any'],
  ])('are distinguished from queries: %s', (text, effect) => {
    expect(readStatement(text).effect).toBe(effect)
  })
})

describe('a dropped database', () => {
  it('is unknown to requests that used it before, until it is recreated', async () => {
    const fields = { ...settings, database: 'passing' }
    for (const value of ["'one'", '2', "'three'"]) {
      await engine.run('CREATE DATABASE passing')
      await engine.run(`CREATE TABLE passing.t ENGINE = MergeTree ORDER BY tuple() AS SELECT ${value} AS v`)
      const kept = await connectionOf(fields)
      expect(await engine.run(`SELECT ${mark}, v FROM t`, fields)).toBe(`${kept}\t${value.replaceAll("'", '')}`)
      await engine.run('DROP DATABASE passing')
      expect(await engine.failure('SELECT 1', fields)).toMatchObject({ status: 404, code: 81 })
      expect(await engine.failure('SELECT v FROM t', fields)).toMatchObject({ status: 404, code: 81 })
    }
  })

  it('is also unknown to a connection that was in use during the drop', async () => {
    const fields = { ...settings, database: 'brief' }
    await engine.run('CREATE DATABASE brief')
    const slow = engine.run('SELECT sleep(3)', fields)
    while ((await engine.run("SELECT count() FROM system.processes WHERE current_database = 'brief'")) === '0');
    await engine.run('DROP DATABASE brief')
    expect(await slow).toBe('0')
    expect(await engine.failure('SELECT 1', fields)).toMatchObject({ code: 81 })
  })
})

describe('an aborted request', () => {
  const slow = 'SELECT count() FROM numbers(1000000000000) WHERE NOT ignore(rand()) SETTINGS max_threads = 1'
  const running = (tag: string) =>
    engine.run(`SELECT countIf(Settings['stream_like_engine_insert_queue'] = '${tag}') FROM system.processes`)

  it.each([
    ['a long scan', slow],
    ['a buffered result', `${slow} FORMAT JSON`],
    ['a stream nobody reads', 'SELECT rand64() FROM numbers(100000000000)'],
  ])('closes only its own connection: %s', async (_, sql) => {
    for (let round = 0; round < runs(1, 8); round++) {
      const kept = await connectionOf(full)
      const gone = new AbortController()
      const sent = engine.send(full, { body: sql, signal: gone.signal })
      while ((await running(kept)) === '0');
      gone.abort()
      await sent.then((response) => response.text()).catch(() => {})
      // Killing this query does not affect later statements.
      const next = Array.from({ length: sessions }, () => connectionOf(full, ', sleepEachRow(0.05)'))
      for (const answer of await Promise.all(next)) expect(answer.split('\t')[0]).not.toBe(kept)
    }
  })
})

describe('a response that nobody reads', () => {
  it('closes its connection even if its statement has ended', async () => {
    for (let round = 0; round < runs(1, 10); round++) {
      const kept = await connectionOf(settings)
      const gone = new AbortController()
      const sql = "SELECT repeat('x', 1000000) FROM numbers(40)"
      await engine.send(settings, { body: sql, signal: gone.signal })
      gone.abort()
      while ((await engine.run("SELECT count() FROM system.processes WHERE query LIKE 'SELECT repeat%'")) !== '0');
      const next = Array.from({ length: sessions }, () => connectionOf(settings, ', sleepEachRow(0.1)'))
      for (const answer of await Promise.all(next)) expect(answer.split('\t')[0]).not.toBe(kept)
    }
  })
})

describe('many concurrent requests', () => {
  it('each get their own response', async () => {
    const databases = ['home', 'away', undefined]
    const ask = async (at: number) => {
      const database = databases[at % 3]
      const fields = {
        ...settings,
        ...(database && { database }),
        ...(at % 2 === 0 && { max_threads: `${1 + (at % 4)}` }),
        param_a: `${at}`,
        [`param_${at % 5 === 0 ? 'b' : 'c'}`]: `x${at}`,
      }
      const own = at % 5 === 0 ? '{b:String}' : '{c:String}'
      const sql = `SELECT {a:UInt32}, ${own}, currentDatabase(), getSetting('max_threads') ${at % 7 ? '' : 'FORMAT CSV'}`
      if (at % 11 === 0) return (await engine.failure('SELECT throwIf({a:UInt32} > -1)', fields)).code === 395
      const expected = [at, `x${at}`, database ?? 'default', ...(at % 2 === 0 ? [1 + (at % 4)] : [])]
      const values = (await engine.run(sql, fields)).replaceAll('"', '').split(/[\t,]/)
      return expected.every((value, index) => values[index] === `${value}`)
    }
    for (let round = 0; round < runs(1, 3); round++) {
      const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => ask(at)))
      expect(answers.every((isRight) => isRight)).toBe(true)
    }
  })

  it('leave as many connections open as there are slots', async () => {
    const ask = (number: number) => connectionOf({ ...settings, max_threads: `${number}` })
    const asked = []
    for (let number = 1; number <= sessions + 1; number++) asked.push(await ask(number))
    for (let number = 2; number <= sessions + 1; number++) expect(await ask(number)).toBe(asked[number - 1])
    expect(asked).not.toContain(await ask(1))
  })
})

describe('the pool', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const open = () => {
    const closed: string[] = []
    const kept = openKept<string>(2, async (item) => {
      closed.push(item)
    })
    return { closed, kept, keep: (state: string, item: string, era = kept.era()) => kept.keep(state, item, era) }
  }

  it('closes an item several seconds after its last use', async () => {
    const { kept, keep, closed } = open()
    await keep('x', 'one')
    await keep('y', 'two')
    await vi.advanceTimersByTimeAsync(4000)
    await keep('x', kept.take('x')!)
    await vi.advanceTimersByTimeAsync(2000)
    expect([closed, kept.take('y')]).toEqual([['two'], undefined])
    await vi.advanceTimersByTimeAsync(4000)
    expect([closed, kept.take('x')]).toEqual([['two', 'one'], undefined])
  })

  it('closes all items before a change, and keeps none from before or during the change', async () => {
    const { kept, keep, closed } = open()
    await keep('x', 'idle')
    const era = kept.era()
    await kept.change(async () => {
      expect(closed).toEqual(['idle'])
      await keep('x', 'in between')
      expect(closed).toEqual(['idle', 'in between'])
    })
    await keep('x', 'from before', era)
    expect(closed).toEqual(['idle', 'in between', 'from before'])
    await keep('x', 'new')
    expect(kept.take('x')).toBe('new')
  })
})
