import { isIP } from 'node:net'
import type { ClickHouseClient } from '@clickhouse/client-web'
import ipaddr from 'ipaddr.js'
import type { Server } from '../../clickhouse/server.ts'
import { quoted } from '../engine/literal.ts'
import { texts } from '../storage/selected.ts'
import { printable } from '../told/printable.ts'

/** The ClickHouse version that the tests use. */
const tested = '26.7'

/** The rights to create tables (in the database) and users (everywhere). */
const rightsOfTables = ['CREATE DATABASE', 'CREATE TABLE', 'CREATE VIEW', 'INSERT', 'SELECT']
const rightsOfUsers = ['CREATE USER', 'ALTER USER', 'CREATE SETTINGS PROFILE', 'CREATE QUOTA']

/** Checks a reachable ClickHouse server. Throws if its user lacks a right. Returns notes for a person. */
export async function checkClickHouse(client: ClickHouseClient, server: Server): Promise<string[]> {
  const [version = ''] = await texts(client, 'SELECT version() AS text')
  const needed = [
    ...rightsOfTables.map((right) => `${right} ON ${quoted(server.database)}.*`),
    ...rightsOfUsers.map((right) => `${right} ON *.*`),
  ]
  const missing: string[] = []
  for (const right of needed) if (!(await isGranted(client, right))) missing.push(right)
  if (missing.length > 0) {
    throw new Error(
      `The ClickHouse user ${printable(server.username)} lacks rights: ${missing.join(', ')}. ` +
        'Use an admin: in ClickHouse Cloud, default; on your own server, a user with access_management.',
    )
  }
  const [isCloud] = await texts(client, "SELECT value AS text FROM system.settings WHERE name = 'cloud_mode'")
  const notes: readonly (readonly [boolean, string])[] = [
    [isOlder(version, tested), `Weir was tested with ${tested}: an older version may lack features that it needs.`],
    [isNear(server.url), 'Its address is private. Cloudflare needs one that is reachable from the Internet.'],
    [server.url.startsWith('http:'), 'Its address does not use TLS: passwords would cross the Internet unencrypted.'],
    [isCloud === '1', 'It may idle: the first visitor then waits until it runs. Turn off idling in its console.'],
  ]
  return [`ClickHouse ${version} answers.`, ...notes.flatMap(([holds, note]) => (holds ? [note] : []))]
}

/**
 * Whether the user has the right. The statement does not accept a format, so its answer is read as plain text. An old
 * ClickHouse does not support the statement; there, the step that needs the right fails instead.
 */
async function isGranted(client: ClickHouseClient, right: string): Promise<boolean> {
  try {
    const { stream } = await client.exec({ query: `CHECK GRANT ${right}` })
    return (await new Response(stream).text()).trim() !== '0'
  } catch (error) {
    if ((error as { readonly type?: string }).type !== 'SYNTAX_ERROR') throw error
    return true
  }
}

/** Whether a version such as `26.3.1.2` is older than one such as `26.7`. */
const isOlder = (version: string, than: string): boolean => version.localeCompare(than, 'en', { numeric: true }) < 0

/** Whether the address can be reached only from this machine or its network. */
function isNear(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? /(^|\.)localhost$|^[^.]+$/.test(host) : ipaddr.parse(host).range() !== 'unicast'
}
