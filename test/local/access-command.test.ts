import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { weir as command } from '../support/commands.ts'
import { type KeepingUsers, startKeepingUsers } from '../support/doubles/keeping-users.ts'
import { running } from '../support/weir.ts'
import { emptyDirectory } from './engine.ts'

let front: KeepingUsers

beforeAll(async () => {
  front = await startKeepingUsers(running.clickhouse)
})

beforeEach(() => Object.assign(front, { existing: [], sent: [] }))

afterAll(() => front.close())

const weir = (env: NodeJS.ProcessEnv, ...flags: string[]) =>
  command(['access', ...flags], { dataDir: emptyDirectory(), env })

const onFront = (env: NodeJS.ProcessEnv = {}, ...flags: string[]) =>
  weir({ CLICKHOUSE_URL: `${front.url}/?database=default`, ...env }, ...flags)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The password hashes in the statements that contain this text. */
const hashesOf = (start: string) =>
  front.sent
    .filter(({ statement }) => statement.includes(start))
    .map(({ statement, fields }) => fields[`param_${/\{(\w+):String\}/.exec(statement)?.[1]}`])

describe('npm run weir -- access', () => {
  it('creates the users on all servers in a cluster, with statements that ClickHouse can parse', async () => {
    const { code } = await onFront({}, '--cluster', 'pair')
    expect(code).toBe(0)
    const statements = front.sent.map(({ statement }) => statement).filter((one) => !/^SELECT\b/i.test(one))
    expect(statements.length).toBeGreaterThan(8)
    for (const statement of statements) {
      const fields = new URLSearchParams({ param_statement: statement.replaceAll('\n', '\\n') })
      const query = 'SELECT formatQuerySingleLine({statement:String})'
      const answer = await fetch(`${running.clickhouse}&${fields}`, { method: 'POST', body: query })
      expect(await answer.text()).toMatch(/^(CREATE|ALTER|GRANT) .*\bON CLUSTER (pair|`pair`)/)
    }
  })

  it('creates users with passwords that are printed once and never sent', async () => {
    const { code, stdout, stderr } = await onFront()
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('shown only now') })
    const passwords = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    )
    expect(Object.keys(passwords)).toEqual(['weir_reader', 'weir_writer', 'weir_visitor', 'weir_sealer'])
    const [reader, writer] = [passwords.weir_reader!, passwords.weir_writer!]
    expect(reader).toMatch(/^[\w-]{32}$/)
    expect(reader).not.toBe(writer)
    expect(hashesOf('CREATE USER IF NOT EXISTS weir_reader')).toEqual([sha256(reader)])
    expect(hashesOf('CREATE USER IF NOT EXISTS weir_writer')).toEqual([sha256(writer)])
    expect(JSON.stringify(front.sent)).not.toContain(reader)
    expect(JSON.stringify(front.sent)).not.toContain(writer)
    expect(
      front.sent.some(({ statement }) => statement.includes('IDENTIFIED') && statement.includes('ALTER USER')),
    ).toBe(false)
  })

  it('keeps the passwords of existing users unless new ones are given', async () => {
    front.existing = ['weir_reader', 'weir_writer', 'weir_visitor', 'weir_sealer']
    const password = 'a password of the operator'
    const { code, stdout } = await onFront({ WEIR_READER_PASSWORD: password })
    expect(code).toBe(0)
    expect(stdout).toBe(
      'weir_reader has the password in WEIR_READER_PASSWORD.\n' +
        'weir_writer keeps its password. WEIR_WRITER_PASSWORD sets a new one.\n' +
        'weir_visitor keeps its password. WEIR_VISITOR_PASSWORD sets a new one.\n' +
        'weir_sealer keeps its password. WEIR_SEALER_PASSWORD sets a new one.\n',
    )
    expect(hashesOf('ALTER USER weir_reader IDENTIFIED')).toEqual([sha256(password)])
    expect(hashesOf('ALTER USER weir_writer IDENTIFIED')).toEqual([])
    expect(JSON.stringify(front.sent)).not.toContain(password)
  })

  it('refuses a short password before it changes anything', async () => {
    const { code, stderr } = await onFront({ WEIR_WRITER_PASSWORD: 'short' })
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('WEIR_WRITER_PASSWORD needs 16'),
    })
    expect(front.sent).toEqual([])
  })

  it('refuses the embedded engine, which cannot store users', async () => {
    const { code, stderr } = await weir({ CLICKHOUSE_URL: '' })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Set CLICKHOUSE_URL') })
  })
})
