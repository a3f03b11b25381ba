import { deletedSessionsOf } from './sessions.ts'
import { ofNewestShare } from './shares.ts'
import type { Website, WebsiteKind } from './websites.ts'

/** A website, a link or a pixel as D1 stores it. */
export interface WebsiteRow {
  readonly id: string
  readonly kind: WebsiteKind
  readonly name: string
  readonly domain: string
  readonly user_id: string | null
  readonly team_id: string | null
  readonly created_by: string | null
  readonly slug: string | null
  readonly url: string | null
  readonly reset_at: number | null
  readonly replay_config: string | null
  readonly public: string | null
  readonly share_id: string | null
  readonly cache_epoch: number
  readonly created_at: number
  readonly updated_at: number
  /** JSON */
  readonly deleted_sessions?: string
}

/** The columns of `WebsiteRow`. */
export const websiteColumns = `websites.id, kind, websites.name, domain, websites.user_id, team_id, created_by, websites.slug, url,
  reset_at, replay_config, public,
  ${ofNewestShare('slug', 'websites.id')} AS share_id,
  cache_epoch, websites.created_at, websites.updated_at`

/** `?1` is the id of the website. */
export const websiteById = `SELECT ${websiteColumns}, ${deletedSessionsOf('websites.id')} AS deleted_sessions
  FROM websites WHERE id = ?1 AND deleted_at IS NULL`

export const websiteOf = (row: WebsiteRow): Website => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  domain: row.domain,
  userId: row.user_id,
  teamId: row.team_id,
  createdBy: row.created_by,
  slug: row.slug,
  url: row.url,
  resetAt: row.reset_at,
  replayConfig: row.replay_config === null ? null : (JSON.parse(row.replay_config) as Record<string, unknown>),
  public: row.public === null ? null : (JSON.parse(row.public) as object),
  shareId: row.share_id,
  cacheEpoch: row.cache_epoch,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  deletedSessions: row.deleted_sessions === undefined ? [] : (JSON.parse(row.deleted_sessions) as string[]),
})
