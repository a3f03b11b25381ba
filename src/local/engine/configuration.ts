import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the engine's configuration and gives the path of its file. */
export function writeConfiguration(dataDir: string): string {
  const directory = join(dataDir, 'configuration')
  mkdirSync(directory, { recursive: true })
  const users = join(directory, 'users.xml')
  const server = join(directory, 'config.xml')
  writeFileSync(users, usersXml)
  writeFileSync(server, serverXml(users))
  return server
}

/**
 * A server lets queries read and write files only below `user_files`; chdb has no such limit, so that files are closed to queries
 * altogether. There is one user inside: who a request comes from is checked in front.
 */
const usersXml = `<clickhouse>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        <query>GRANT ALL ON *.*</query>
        <query>REVOKE FILE ON *.*</query>
      </grants>
    </default>
  </users>
</clickhouse>
`

function serverXml(users: string): string {
  return `<clickhouse>
  <user_directories><users_xml><path>${escaped(users)}</path></users_xml></user_directories>
</clickhouse>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
