import { parseServer, type Server } from '../../clickhouse/server.ts'
import { Misuse } from '../told/misuse.ts'
import { printable } from '../told/printable.ts'

const example = 'http://user:password@host:8123/?database=weir'

/** The server of `CLICKHOUSE_URL`. Messages show only the URL's host, because the URL may contain a password. */
export function serverOf(env: NodeJS.ProcessEnv): Server {
  const text = env.CLICKHOUSE_URL ?? ''
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new Misuse(`CLICKHOUSE_URL must be the URL of ClickHouse's HTTP interface, such as ${example}.`)
  }
  return parseServer(env)
}

/** The maximum wait for a server's answer, in milliseconds. An idle server may have to start first. */
const patience = 60_000

/** Checks that ClickHouse answers and accepts the user. Otherwise throws an error with the host and the cause. */
export async function refuseUnreachable(server: Server): Promise<void> {
  const fault = await faultOf(server)
  if (fault) throw new Error(`CLICKHOUSE_URL: ${new URL(server.url).host} ${fault}`)
}

/** The server's fault, as the end of a sentence; undefined if there is none. */
async function faultOf({ url, username, password }: Server): Promise<string | undefined> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  let response: Response
  let text: string
  try {
    const signal = AbortSignal.timeout(patience)
    response = await fetch(`${url}/?query=SELECT%201`, { headers: { authorization }, redirect: 'manual', signal })
    text = (await response.text()).trim()
  } catch (error) {
    return connectionFault(error)
  }
  if (response.ok && text === '1') return undefined
  const code = Number(response.headers.get('x-clickhouse-exception-code') ?? /^Code: (\d+)\./.exec(text)?.[1])
  if (refusedUsers.has(code)) {
    return (
      `rejected the user ${printable(username)}: authentication failed. Check the user and the password in ` +
      'CLICKHOUSE_URL, or in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD.'
    )
  }
  if (code > 0) return `answered: ${cut(text)}`
  return `does not answer as ClickHouse does (HTTP ${response.status}: ${cut(text) || 'no text'}). ${ports}`
}

/** UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED. */
const refusedUsers = new Set([192, 193, 194, 516])

const ports = 'The port must be that of its HTTP interface: usually 8123 for http, 8443 for https.'

const cut = (text: string): string => printable(text.replaceAll(/\s+/g, ' ').slice(0, 200)).trim()

interface Failure {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  readonly cause?: Failure
  readonly errors?: readonly Failure[]
}

/** The reason why the connection failed. */
function connectionFault(error: unknown): string {
  const { cause, name = '' } = error as Failure
  if (name === 'TimeoutError') return noAnswer(name)
  // If a host has several addresses, there is an error for each.
  const { code = '', message = '' } = cause?.errors?.[0] ?? cause ?? (error as Failure)
  if (/^(ENOTFOUND|EAI_)/.test(code)) return `cannot be resolved: no such host name is known here (${code}).`
  if (code === 'ECONNREFUSED') return `refused the connection: nothing listens on this port (${code}). Is it running?`
  if (/TIMEDOUT|TIMEOUT/.test(code)) return noAnswer(code)
  if (/UNREACH/.test(code)) return `cannot be reached from this network (${code}).`
  if (/CERT|SIGNED|ALTNAME|UNABLE_TO_/.test(code)) {
    return (
      `has a certificate that this machine does not trust: ${message} (${code}). ` +
      'For your own certificate authority, set NODE_EXTRA_CA_CERTS to its file.'
    )
  }
  if (/SSL|EPROTO|TLS/.test(code)) return `does not speak TLS on this port (${code}). Try http:// instead of https://.`
  if (code === '') return `cannot be queried: ${message}. ${ports}`
  return `closed the connection without an answer (${code}). If it speaks TLS there, use https://. ${ports}`
}

const noAnswer = (code: string): string =>
  `did not answer in time (${code}). A firewall, or a list of allowed addresses, may block this machine.`
