import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { printable } from '../told/printable.ts'

/**
 * Returns `port` if it is free on loopback, or any free port for 0. Otherwise throws an error that names the process
 * on the port, and the flag.
 */
export function freePort(flag: string, port: number): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => failed(notFree(flag, port, error.code)))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address ? address.port : port))
    })
  })
}

/** The error for a server that cannot listen on a port of `host`, based on the system's error code. */
export function notFree(flag: string, port: number, code = '', host = '127.0.0.1'): Error {
  if (code === 'EADDRINUSE') return new Error(`${inUse(port)} Choose another one with ${flag}; 0 takes any free one.`)
  if (code !== 'EACCES') return new Error(`${host} is not an address of this machine (${code}).`)
  return new Error(`Port ${port} cannot be used (${code}). Choose another one with ${flag}: 1024 or higher.`)
}

/** A message that the port is in use. It names the process, or a command that finds it. */
export function inUse(port: number): string {
  const holder = holderOf(port)
  if (holder) return `Port ${port} is in use by process ${holder.pid} (${holder.command}).`
  return `Port ${port} is in use. As root, lsof -i :${port} shows the process.`
}

interface Holder {
  readonly pid: number
  readonly command: string
}

/**
 * The process that listens on this loopback port. Undefined if Linux does not show it, for example because it belongs
 * to another user.
 */
function holderOf(port: number): Holder | undefined {
  const sockets = listeningOn(port)
  if (sockets.size === 0) return undefined
  const pid = entries('/proc').find((name) => /^\d+$/.test(name) && hasOpen(name, sockets))
  return pid === undefined ? undefined : { pid: Number(pid), command: commandOf(pid) }
}

const tables = ['/proc/net/tcp', '/proc/net/tcp6']

/** Hexadecimal socket addresses: 127.0.0.1, as IPv4 or within IPv6, and the wildcard addresses. */
const addresses = /^(?:0{16}F{4}0{4})?0100007F$|^0{8}$|^0{32}$/

const listening = '0A'

/** The links (`socket:[inode]`) of the sockets that listen on the port. */
function listeningOn(port: number): Set<string> {
  const links = new Set<string>()
  for (const line of tables.flatMap((table) => textOf(table).split('\n'))) {
    // The fields are number, local address, remote address, state …; the tenth is the inode.
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    const [address = '', hexPort = ''] = local.split(':')
    if (state !== listening || Number.parseInt(hexPort, 16) !== port || !addresses.test(address)) continue
    links.add(`socket:[${inode}]`)
  }
  return links
}

const hasOpen = (pid: string, sockets: ReadonlySet<string>): boolean =>
  entries(`/proc/${pid}/fd`).some((file) => sockets.has(linkOf(`/proc/${pid}/fd/${file}`)))

const longestCommand = 100

/** The command line of the process, shortened to fit on one line. */
function commandOf(pid: string): string {
  const words = textOf(`/proc/${pid}/cmdline`).split('\0').join(' ').trim()
  return printable(words || textOf(`/proc/${pid}/comm`).trim()).slice(0, longestCommand)
}

const textOf = (path: string): string => orElse('', () => readFileSync(path, 'utf8'))
const entries = (path: string): string[] => orElse([], () => readdirSync(path))
const linkOf = (path: string): string => orElse('', () => readlinkSync(path))

/** Returns `otherwise` if `read` throws, because the process may have ended or belong to another user. */
function orElse<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read()
  } catch {
    return otherwise
  }
}
