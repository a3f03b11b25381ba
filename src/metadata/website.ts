import { deletedSessionsOf } from './sessions.ts'

/** Links and pixels have events, rights and shares like websites. Each id belongs to one kind only. */
export const websiteKinds = ['website', 'link', 'pixel'] as const

export type WebsiteKind = (typeof websiteKinds)[number]

/** Which query parameters of a visit a link passes on to its target. `utm`: the UTM parameters and the click ids. */
export const passQueries = ['none', 'utm', 'all'] as const

export type PassQuery = (typeof passQueries)[number]

/** How long a website keeps its data. Without a setting, data is kept as long as on other websites. */
export interface WebsiteRetention {
  /** Whole months of events and identify calls, besides the current one. */
  readonly eventMonths?: number | undefined
  readonly replayDays?: number | undefined
  readonly heatmapDays?: number | undefined
}

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
  /** The last part of a link's or pixel's address; null for websites. */
  readonly slug: string | null
  /** The target of a link; null for websites and pixels. */
  readonly url: string | null
  /** Has an effect only on links. */
  readonly passQuery: PassQuery
  /** Earlier events are hidden. Milliseconds since 1970, like all times of D1. */
  readonly resetAt: number | null
  readonly replayConfig: Readonly<Record<string, unknown>> | null
  readonly retention: WebsiteRetention | null
  /** The public opening, as the parameters of a share; null if the website is not public. */
  readonly public: object | null
  /** The slug of the newest share. */
  readonly shareId: string | null
  /** Every cache key for answers about the website contains it; a purge increments it. */
  readonly cacheEpoch: number
  readonly createdAt: number
  readonly updatedAt: number
  /** The ids of its deleted sessions that wait for a purge; empty in lists of websites. */
  readonly deletedSessions: readonly string[]
}

/** A website, a link or a pixel as D1 stores it; objects are JSON. */
export type WebsiteRow = Omit<Website, 'replayConfig' | 'retention' | 'public' | 'deletedSessions'> & {
  readonly replayConfig: string | null
  readonly retention: string | null
  readonly public: string | null
  readonly deletedSessions?: string
}

/** Selects a column of the website's newest share; `id` is an SQL expression. */
export const ofNewestShare = (column: 'id' | 'slug', id: string): string =>
  `(SELECT ${column} FROM shares WHERE website_id = ${id} ORDER BY created_at DESC, id LIMIT 1)`

/** The columns of `WebsiteRow`. */
export const websiteColumns = `websites.id, kind, websites.name, domain, websites.user_id AS userId, team_id AS teamId,
  created_by AS createdBy, websites.slug, url, pass_query AS passQuery, reset_at AS resetAt, replay_config AS replayConfig, retention, public,
  ${ofNewestShare('slug', 'websites.id')} AS shareId, cache_epoch AS cacheEpoch,
  websites.created_at AS createdAt, websites.updated_at AS updatedAt`

/** `?1` is the id of the website. */
export const websiteById = `SELECT ${websiteColumns}, ${deletedSessionsOf('websites.id')} AS deletedSessions
  FROM websites WHERE id = ?1 AND deleted_at IS NULL`

const parsed = <Value>(json: string | null): Value | null => (json === null ? null : (JSON.parse(json) as Value))

export const websiteOf = <Row extends WebsiteRow>(row: Row) => ({
  ...row,
  replayConfig: parsed<Record<string, unknown>>(row.replayConfig),
  retention: parsed<WebsiteRetention>(row.retention),
  public: parsed<object>(row.public),
  deletedSessions: JSON.parse(row.deletedSessions ?? '[]') as string[],
})
