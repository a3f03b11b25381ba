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
 * What statements may do: all that concerns tables, views and their rows. Files, other servers, dictionaries, functions, named
 * collections, users, backups, copies beside the tables (FREEZE) and the engine itself are closed, because a right that is not
 * named here is not given.
 */
const rights = [
  'SHOW',
  'SELECT',
  'INSERT',
  'ALTER UPDATE',
  'ALTER DELETE',
  'ALTER COLUMN',
  'ALTER MODIFY COMMENT',
  'ALTER INDEX',
  'ALTER STATISTICS',
  'ALTER PROJECTION',
  'ALTER CONSTRAINT',
  'ALTER TTL',
  'ALTER MATERIALIZE TTL',
  'ALTER REWRITE PARTS',
  'ALTER SETTINGS',
  'ALTER VIEW',
  'CREATE DATABASE',
  'CREATE TABLE',
  'CREATE VIEW',
  'CREATE ARBITRARY TEMPORARY TABLE',
  'DROP DATABASE',
  'DROP TABLE',
  'DROP VIEW',
  'UNDROP TABLE',
  'TRUNCATE',
  'OPTIMIZE',
  'CHECK',
  'KILL QUERY',
]

/** Settings that name a file or another server, that hold SQL where `outside.ts` does not see it, or that let others do so. */
const fixedSettings = [
  'additional_result_filter',
  'allow_experimental_ai_functions',
  'allow_experimental_eval_table_function',
  'allow_introspection_functions',
  'dialect',
  'format_avro_schema_registry_url',
  'format_schema',
  'format_schema_source',
  'format_template_resultset',
  'format_template_row',
  'input_format_record_errors_file_path',
  'input_format_values_deduce_templates_of_expressions',
  'input_format_values_interpret_expressions',
  'merge_tree_disk',
  'merge_tree_storage_policy',
  'merge_tree_table_disk',
  'output_format_schema',
  'parallel_replicas_custom_key',
]

/** There is one user inside: who a request comes from is checked in front. */
const usersXml = `<clickhouse>
  <profiles>
    <default>
      <!-- A misspelt column is refused, not dropped. -->
      <input_format_skip_unknown_fields>0</input_format_skip_unknown_fields>
      <constraints>
        ${fixedSettings.map((name) => `<${name}><const/></${name}>`).join('\n        ')}
      </constraints>
    </default>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        <query>GRANT ${rights.join(', ')} ON *.*</query>
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
