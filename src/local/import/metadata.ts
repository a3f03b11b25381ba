import type { Postgres } from './postgres.ts'
import type { SourceWebsite } from './source.ts'

/** The metadata that an import of events reads from Umami's PostgreSQL. */
export interface Metadata {
  /** Websites, links and pixels; undefined if there is no websites table. */
  websites(): Promise<readonly SourceWebsite[] | undefined>
  /** The visits whose replays somebody has saved. */
  savedVisits(): Promise<readonly string[]>
  close(): Promise<void>
}

/** The table of saved replays. */
export const savedReplays = 'session_replay_saved'

export function metadataIn(postgres: Postgres): Metadata {
  let saved: Promise<readonly string[]> | undefined
  return {
    websites: () => websitesIn(postgres),
    savedVisits() {
      saved ??= savedIn(postgres)
      return saved
    },
    close: postgres.close,
  }
}

/** Returns websites, and also links and pixels if this version has them. */
async function websitesIn(postgres: Postgres): Promise<readonly SourceWebsite[] | undefined> {
  const tables = ['website', 'link', 'pixel'].filter((table) => postgres.columns.has(table))
  if (!tables.includes('website')) return undefined
  const hasLevel = postgres.columns.get('website')!.has('replay_config')
  const rows = await postgres.rows(
    tables
      .map((table) => {
        const level = table === 'website' && hasLevel ? "replay_config->>'maskLevel'" : 'NULL'
        return `SELECT ${table}_id AS id, deleted_at IS NOT NULL AS is_deleted, ${level} AS level FROM "${table}"`
      })
      .join(' UNION ALL '),
  )
  return rows.map(({ id, is_deleted, level }) => ({
    id: id!,
    isDeleted: is_deleted === 't',
    maskLevel: level === 'strict' ? 'strict' : 'moderate',
  }))
}

async function savedIn(postgres: Postgres): Promise<readonly string[]> {
  if (!postgres.columns.has(savedReplays)) return []
  const rows = await postgres.rows(`SELECT DISTINCT visit_id FROM ${savedReplays}`)
  return rows.map(({ visit_id }) => visit_id!)
}
