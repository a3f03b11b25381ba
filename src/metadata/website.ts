import { deletedSessionsOf } from './sessions.ts'

/** Links and pixels have events, rights and shares like websites. Each id belongs to one kind only. */
export const websiteKinds = ['website', 'link', 'pixel'] as const

export type WebsiteKind = (typeof websiteKinds)[number]

/** A website, a link or a pixel. */
export interface Website {
  readonly id: string
  readonly kind: WebsiteKind
  readonly name: string
  /** Empty for links and pixels. */
  readonly domain: string
  /** The owner is a user or a team; the operator if both are null. */
  readonly userId: string | null
  readonly teamId: string | null
  readonly createdBy: string | null
  /** The last part of the address of a link or pixel; null for websites. */
  readonly slug: string | null
  /** The target of a link; null for the others. */
  readonly url: string | null
  /** Earlier events are hidden. Milliseconds since 1970, like all times of D1. */
  readonly resetAt: number | null
  readonly replayConfig: Readonly<Record<string, unknown>> | null
  /** The public opening, as the parameters of a share; null if the website is not public. */
  readonly public: object | null
  /** The slug of the newest share. */
  readonly shareId: string | null
  /** Part of the cache key of every answer about the website; a purge increments it. */
  readonly cacheEpoch: number
  readonly createdAt: number
  readonly updatedAt: number
  /** The ids of its sessions that were deleted and wait for a purge; lists of websites have none. */
  readonly deletedSessions: readonly string[]
}

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

/** Selects a column of the website's newest share; `id` is an SQL expression. */
export const ofNewestShare = (column: 'id' | 'slug', id: string): string =>
  `(SELECT ${column} FROM shares WHERE website_id = ${id} ORDER BY created_at DESC, id LIMIT 1)`

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
