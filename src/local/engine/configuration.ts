import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes the engine's configuration and returns the path of its file. */
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
 * The rights of all statements. They cover tables, views and rows. Everything else is denied: files, other servers,
 * dictionaries, functions, named collections, users, backups, `FREEZE`, and control of the engine itself.
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

/**
 * Settings that requests cannot change. They specify a file or a server, contain SQL that `outside.ts` does not see, or
 * enable such settings.
 */
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
  'schema_inference_hints',
]

/** The only user inside the engine; requests are authenticated before they reach it. */
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

/**
 * With fewer free bytes than this on its disk, ClickHouse refuses inserts before it stores a row, and does not merge.
 * If the disk fills up during a merge, ClickHouse 26.7 may leave an unreadable part.
 */
const keptFree = 100 * 2 ** 20

/**
 * A mutation blocked by a merge is retried after at least 0.1 seconds, plus at most this many. With ClickHouse's
 * default of 1, a `purge` spent most of its time waiting.
 */
const lookAgainWithin = 0.05
const lookAgain = 'background_processing_pool_task_sleep_seconds_when_no_work_random_part'

/**
 * How often ClickHouse compares its own count of used memory with the system's count, in milliseconds. The default is
 * 50.
 */
const memoryPeriod = 1000

function serverXml(users: string): string {
  return `<clickhouse>
  <user_directories><users_xml><path>${escaped(users)}</path></users_xml></user_directories>
  <storage_configuration><disks><default>
    <keep_free_space_bytes>${keptFree}</keep_free_space_bytes>
  </default></disks></storage_configuration>
  <${lookAgain}>${lookAgainWithin}</${lookAgain}>
  <memory_worker_period_ms>${memoryPeriod}</memory_worker_period_ms>
</clickhouse>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
