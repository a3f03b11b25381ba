import { createHash } from 'node:crypto'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Engine, startEngine } from '../../src/local/engine/index.ts'
import { writeUsers } from '../support/clickhouse-users.ts'
import { weir as command } from '../support/commands.ts'
import { emptyDirectory } from './engine.ts'

/**
 * A server with users: the embedded engine behind a proxy. The engine parses every statement but cannot store users,
 * and the proxy reports that one error as success.
 */
let engine: Engine
let front: HttpServer
let existing: string[]
let sent: { statement: string; fields: Record<string, string> }[]

const dataDir = emptyDirectory()
const keptElsewhere = new Set(['180', '495', '514'])

beforeAll(async () => {
  writeUsers(dataDir, 'admin')
  engine = await startEngine({ dataDir, password: '' })
  front = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const statement = Buffer.concat(chunks).toString()
    // Before the statements, a command checks that ClickHouse answers.
    if (statement !== '')
      sent.push({ statement, fields: Object.fromEntries(new URL(request.url!, engine.url).searchParams) })
    // The engine is not a cluster, so it cannot pass statements on.
    const body = statement.replace(" ON CLUSTER 'pair'", '')
    const answer = await fetch(new URL(request.url!, engine.url), { method: 'POST', body })
    const result = await answer.text()
    if (keptElsewhere.has(answer.headers.get('x-clickhouse-exception-code') ?? '')) response.end()
    else if (/\bFROM system\.users\b/.test(statement))
      response.end(existing.map((name) => `{"name":"${name}"}\n`).join(''))
    else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(result)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => front.once('listening', listening))
})

beforeEach(() => {
  existing = []
  sent = []
})

afterAll(async () => {
  front.closeAllConnections()
  front.close()
  await engine.close()
})

const weir = (env: NodeJS.ProcessEnv, ...flags: string[]) =>
  command(['access', ...flags], { dataDir: emptyDirectory(), env })

const onFront = (env: NodeJS.ProcessEnv = {}, ...flags: string[]) =>
  weir(
    { CLICKHOUSE_URL: `http://127.0.0.1:${(front.address() as AddressInfo).port}/?database=default`, ...env },
    ...flags,
  )

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The hashes in the statements that begin with this text. */
const hashesOf = (start: string) =>
  sent
    .filter(({ statement }) => statement.includes(start))
    .map(({ statement, fields }) => fields[`param_${/\{(\w+):String\}/.exec(statement)?.[1]}`])

describe('npm run weir -- access', () => {
  it('makes the users on all servers of a cluster, in statements that ClickHouse understands', async () => {
    const { code } = await onFront({}, '--cluster', 'pair')
    expect(code).toBe(0)
    const statements = sent.map(({ statement }) => statement).filter((one) => !/^SELECT\b/i.test(one))
    expect(statements.length).toBeGreaterThan(8)
    for (const statement of statements) {
      const fields = new URLSearchParams({ param_statement: statement.replaceAll('\n', '\\n') })
      const query = 'SELECT formatQuerySingleLine({statement:String})'
      const answer = await fetch(`${engine.url}/?${fields}`, { method: 'POST', body: query })
      expect(await answer.text()).toMatch(/^(CREATE|ALTER|GRANT) .*\bON CLUSTER (pair|`pair`)/)
    }
  })

  it('makes the users with passwords that are printed once and never sent', async () => {
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
    expect(JSON.stringify(sent)).not.toContain(reader)
    expect(JSON.stringify(sent)).not.toContain(writer)
    expect(sent.some(({ statement }) => statement.includes('IDENTIFIED') && statement.includes('ALTER USER'))).toBe(
      false,
    )
  })

  it('keeps the passwords of existing users, unless a new one is given', async () => {
    existing = ['weir_reader', 'weir_writer', 'weir_visitor', 'weir_sealer']
    const password = 'a password of the operator'
    const { code, stdout } = await onFront({ WEIR_READER_PASSWORD: password })
    expect(code).toBe(0)
    expect(stdout).toBe(
      'weir_reader has the password of WEIR_READER_PASSWORD.\n' +
        'weir_writer keeps its password. WEIR_WRITER_PASSWORD gives it another.\n' +
        'weir_visitor keeps its password. WEIR_VISITOR_PASSWORD gives it another.\n' +
        'weir_sealer keeps its password. WEIR_SEALER_PASSWORD gives it another.\n',
    )
    expect(hashesOf('ALTER USER weir_reader IDENTIFIED')).toEqual([sha256(password)])
    expect(hashesOf('ALTER USER weir_writer IDENTIFIED')).toEqual([])
    expect(JSON.stringify(sent)).not.toContain(password)
  })

  it('refuses a short password before it changes anything', async () => {
    const { code, stderr } = await onFront({ WEIR_WRITER_PASSWORD: 'short' })
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('WEIR_WRITER_PASSWORD needs 16'),
    })
    expect(sent).toEqual([])
  })

  it('prints the server’s error if it stores no users', async () => {
    const { code, stdout, stderr } = await weir({ CLICKHOUSE_URL: engine.url })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('this storage is readonly')
  })

  it('does not claim that the embedded engine stored users', async () => {
    const { code, stderr } = await weir({ CLICKHOUSE_URL: '' })
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Set CLICKHOUSE_URL') })
  })
})
