import { describe, expect, it } from 'vitest'
import { root } from '../../src/local/paths.ts'
import { forCluster, namesOf, userOnCluster } from '../../src/local/storage/cluster.ts'
import { migrationsIn } from '../../src/local/storage/migrations.ts'
import { accessStatements } from '../support/clickhouse-users.ts'

const names = namesOf('c', 'f')

/**
 * Converts these statements for a cluster, with those before them that create a table with sessions and one without.
 */
const converted = (...statements: string[]): string[] => {
  const before = [
    'CREATE TABLE IF NOT EXISTS visits (session_id UUID, day Date) ENGINE = MergeTree ORDER BY day',
    'CREATE TABLE IF NOT EXISTS counts (day Date, n Int64) ENGINE = SummingMergeTree(n) ORDER BY day',
  ]
  return forCluster(
    [
      { name: '0001_visits.sql', statements: before },
      { name: '0002_more.sql', statements },
    ],
    names,
  )[1]!.statements as string[]
}

describe('the files in sql/events for a cluster', () => {
  it('differ only in databases, ON CLUSTER, engines, the deduplication window and comments', () => {
    const forms = forCluster(migrationsIn(`${root}/sql/events`), names)
    for (const [index, { name, statements }] of migrationsIn(`${root}/sql/events`).entries()) {
      const isOfFront = (one: string) =>
        one.includes('ENGINE = Distributed') || /^(ALTER TABLE|DROP TABLE IF EXISTS) f\./m.test(one)
      const back = forms[index]!.statements.filter((one) => !isOfFront(one)).map((one) =>
        one
          .replaceAll(/f(_shard)?\./g, '')
          .replaceAll(" ON CLUSTER 'c'", '')
          .replace(/Replicated(\w*MergeTree)\('[^']*', '\{replica\}'(?:, )?/, '$1(')
          .replace('MergeTree()', 'MergeTree')
          .replace(/^(DROP .*) SYNC$/m, '$1')
          .replace(/(?=replicated_dedup)(\w+ = \d+), \w+_seconds = 604800/, 'non_$1')
          .replace('SETTINGS distributed_foreground_insert = 1\n', ''),
      )
      expect([name, back]).toEqual([name, statements.map((one) => one.replace(/^ *--.*\n/gm, ''))])
    }
  })
})

describe('a statement converted for a cluster', () => {
  it('adds a column to both forms of a table, but changes settings only on the shards', () => {
    expect(
      converted('ALTER TABLE visits ADD COLUMN IF NOT EXISTS a UInt8 CODEC(Delta, LZ4), ADD COLUMN b UInt8'),
    ).toEqual([
      "ALTER TABLE f_shard.visits ON CLUSTER 'c' ADD COLUMN IF NOT EXISTS a UInt8 CODEC(Delta, LZ4), ADD COLUMN b UInt8",
      "ALTER TABLE f.visits ON CLUSTER 'c' ADD COLUMN IF NOT EXISTS a UInt8 CODEC(Delta, LZ4), ADD COLUMN b UInt8",
    ])
    expect(converted('ALTER TABLE visits MODIFY SETTING non_replicated_deduplication_window = 5')).toEqual([
      "ALTER TABLE f_shard.visits ON CLUSTER 'c' MODIFY SETTING replicated_deduplication_window = 5, replicated_deduplication_window_seconds = 604800",
    ])
  })

  it('modifies a column in both forms, but materializes it only on the shards', () => {
    expect(
      converted('ALTER TABLE visits MODIFY COLUMN day Date DEFAULT 1', 'ALTER TABLE visits MATERIALIZE COLUMN day'),
    ).toEqual([
      "ALTER TABLE f_shard.visits ON CLUSTER 'c' MODIFY COLUMN day Date DEFAULT 1",
      "ALTER TABLE f.visits ON CLUSTER 'c' MODIFY COLUMN day Date DEFAULT 1",
      "ALTER TABLE f_shard.visits ON CLUSTER 'c' MATERIALIZE COLUMN day",
    ])
  })

  it('drops views and both forms of a table with SYNC, so that their paths in Keeper become free', () => {
    expect(converted('DROP VIEW IF EXISTS counts_from_visits', 'DROP TABLE IF EXISTS counts')).toEqual([
      "DROP VIEW IF EXISTS f_shard.counts_from_visits ON CLUSTER 'c' SYNC",
      "DROP TABLE IF EXISTS f.counts ON CLUSTER 'c' SYNC",
      "DROP TABLE IF EXISTS f_shard.counts ON CLUSTER 'c' SYNC",
    ])
  })

  const view = 'CREATE MATERIALIZED VIEW IF NOT EXISTS v TO counts AS SELECT day, count() AS n'

  it.each([
    ['OPTIMIZE TABLE visits', 'begins like this'],
    ['CREATE TABLE visits (day Date) ENGINE = MergeTree ORDER BY day', 'begins like this'],
    ['RENAME TABLE visits TO others', 'begins like this'],
    ['CREATE TABLE IF NOT EXISTS x (day Date) ENGINE = Memory', 'The engine of x is not supported'],
    ['CREATE TABLE IF NOT EXISTS door (day Date) ENGINE = Null', 'An entry table needs a session_id'],
    ['CREATE TABLE IF NOT EXISTS weir.x (session_id UUID) ENGINE = Null', 'begins like this'],
    ['ALTER TABLE visits DROP COLUMN day', 'DROP COLUMN'],
    ['ALTER TABLE visits ADD COLUMN a UInt8, ADD INDEX i a TYPE minmax', 'ADD COLUMN and ADD INDEX'],
    ['ALTER TABLE others ADD COLUMN a UInt8', 'There is no table others'],
    ['INSERT INTO counts SELECT day, 1 FROM visits', 'counts has no session_id'],
    ["INSERT INTO visits VALUES (generateUUIDv4(), '2025-01-01')", 'INSERT INTO … SELECT'],
    ['INSERT INTO visits SELECT session_id, day FROM others', 'There is no table others'],
    ['CREATE MATERIALIZED VIEW IF NOT EXISTS v ENGINE = MergeTree ORDER BY day AS SELECT day FROM visits', 'TO'],
    [`${view} FROM visits, counts GROUP BY day`, 'Two tables after FROM'],
    [`${view} FROM weir.visits GROUP BY day`, 'There is no table weir.visits'],
    [`${view} FROM numbers(3) GROUP BY day`, 'There is no table numbers'],
    [`${view} FROM (SELECT day FROM visits) JOIN counts USING day GROUP BY day`, 'JOIN with a table'],
    [`${view} FROM visits WHERE day IN counts GROUP BY day`, 'IN with a table'],
  ])('is refused if it cannot be converted: %s', (statement, message) => {
    expect(() => converted(statement)).toThrow(message)
    expect(() => converted(statement)).toThrow('0002_more.sql')
  })

  it('creates users on all servers, with rights on both forms of a table', () => {
    const statements = accessStatements.map((statement) => userOnCluster(statement, names))
    expect(statements.filter((one) => one.split(" ON CLUSTER 'c'").length === 2)).toEqual(statements)
    const grants = statements.filter((one) => one.includes('GRANT')).join('\n')
    expect(grants).toContain("GRANT ON CLUSTER 'c'\n    SELECT ON f_shard.events, SELECT ON f.events,")
    expect(grants).toContain("GRANT ON CLUSTER 'c' INSERT ON f_shard.ingest, INSERT ON f.ingest, INSERT ON f_shard.")
    expect(userOnCluster('GRANT SELECT (a, b) ON system.replicas TO x', names)).toBe(
      "GRANT ON CLUSTER 'c' SELECT (a, b) ON system.replicas TO x",
    )
    expect(() => userOnCluster('DROP USER weir_reader', names)).toThrow('This cannot be translated for a cluster')
  })
})
