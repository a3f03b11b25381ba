import { describe, expect, it } from 'vitest'
import { startEngine } from '../../src/local/engine/index.ts'
import { emptyDirectory, useTestEngine } from './engine.ts'

const engine = useTestEngine({ sessions: 2 })

describe('settings', () => {
  it('match a server’s, except for dates, unknown fields, the Arrow writer and expressions in rows', async () => {
    expect(await engine.run("SELECT getSetting('date_time_input_format')")).toBe('best_effort')
    const changed = await engine.run(
      "SELECT name, value FROM system.settings WHERE changed AND value != default AND name != 'stream_like_engine_insert_queue' ORDER BY name",
    )
    expect(changed.split('\n')).toEqual([
      'input_format_skip_unknown_fields\t0',
      'input_format_values_deduce_templates_of_expressions\t0',
      'input_format_values_interpret_expressions\t0',
      'output_format_arrow_use_native_writer\t0',
    ])
  })

  it('take precedence if they are in a request', async () => {
    await engine.run('CREATE TABLE times (t DateTime) ENGINE = MergeTree ORDER BY t')
    const row = '{"t":"2026-01-02T03:04:05+02:00"}'
    await engine.run(`INSERT INTO times FORMAT JSONEachRow ${row}`)
    expect(await engine.run('SELECT t FROM times', { session_timezone: 'UTC' })).toBe('2026-01-02 01:04:05')
    const failure = await engine.failure(`INSERT INTO times FORMAT JSONEachRow ${row}`, {
      date_time_input_format: 'basic',
    })
    expect(failure.status).toBe(400)
  })

  it.each(['1', '2'])('readonly=%s applies only to its own request', async (readonly) => {
    await engine.run('CREATE TABLE IF NOT EXISTS guarded (a Int8) ENGINE = MergeTree ORDER BY a')
    for (const sql of [
      'INSERT INTO guarded VALUES (1)',
      'DROP TABLE guarded',
      'INSERT INTO guarded SETTINGS readonly = 0 VALUES (1)',
    ])
      expect(await engine.failure(sql, { readonly })).toMatchObject({ status: 500, code: 164 })
    expect(await engine.run('SELECT count() FROM guarded')).toBe('0')
  })
})

describe('authentication', () => {
  it('admits only `default` without a password if no user is configured', async () => {
    expect(await engine.run('SELECT 1', { user: 'default' })).toBe('1')
    expect(await engine.failure('SELECT 1', { user: 'somebody' })).toMatchObject({ status: 403, code: 516 })
    expect(await engine.failure('SELECT 1', { password: 'x' })).toMatchObject({ status: 403, code: 516 })
  })

  it('accepts the configured user in any of three ways, and nobody else', async () => {
    const guarded = await startEngine({ dataDir: emptyDirectory(), user: 'wéir', password: 'pa:ss wörd' })
    const status = async (headers: Record<string, string>, fields: Record<string, string> = {}) => {
      const response = await fetch(`${guarded.url}/?${new URLSearchParams({ query: 'SELECT 1', ...fields })}`, {
        headers,
      })
      return [
        response.status,
        response.headers.get('x-clickhouse-exception-code'),
        (await response.text()).slice(0, 31),
      ]
    }
    const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const header = (text: string) => Buffer.from(text).toString('latin1')
    const right = [200, null, '1\n']
    const wrong = [403, '516', 'Code: 516. DB::Exception: wéir:']
    try {
      expect(await status(basic('wéir:pa:ss wörd'))).toEqual(right)
      expect(await status({ 'X-ClickHouse-User': header('wéir'), 'X-ClickHouse-Key': header('pa:ss wörd') })).toEqual(
        right,
      )
      expect(await status({}, { user: 'wéir', password: 'pa:ss wörd' })).toEqual(right)
      expect(await status(basic('wéir:'))).toEqual(wrong)
      expect(await status({}, { user: 'wéir', password: 'x' })).toEqual(wrong)
      for (const headers of [{}, basic('default:'), basic('other:pa:ss wörd'), { Authorization: 'Bearer x' }])
        expect((await status(headers)).slice(0, 2)).toEqual([403, '516'])
      expect((await status(basic('wéir:pa:ss wörd'), { user: 'wéir' })).slice(0, 2)).toEqual([403, '516'])
      expect((await fetch(`${guarded.url}/ping`)).status).toBe(200)
    } finally {
      await guarded.close()
    }
  })
})
