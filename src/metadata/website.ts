import { deletedSessionsOf } from './sessions.ts'

/** Links and pixels have events, rights and shares, as websites do. Each id belongs to only one kind. */
export const websiteKinds = ['website', 'link', 'pixel'] as const

export type WebsiteKind = (typeof websiteKinds)[number]

/** Which of a visit's query parameters a link passes on to its target. `utm`: the UTM parameters and the click ids. */
export const passQueries = ['none', 'utm', 'all'] as const

export type PassQuery = (typeof passQueries)[number]

/** How long a website's data is stored. Without a setting, the default for all websites applies. */
export interface WebsiteRetention {
  /** The number of whole months for which events and identify calls are stored, in addition to the current month. */
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
  /** The owner is a user or a team, or the operator if both are null. */
  readonly userId: string | null
  readonly teamId: string | null
  readonly createdBy: string | null
  /** The last part of a link's or pixel's URL; null for websites. */
  readonly slug: string | null
  /** A link's target; null for websites and pixels. */
  readonly url: string | null
  /** Only applies to links. */
  readonly passQuery: PassQuery
  /** Events before this time are hidden. In milliseconds since 1970, like all times in D1. */
  readonly resetAt: number | null
  readonly replayConfig: Readonly<Record<string, unknown>> | null
  readonly retention: WebsiteRetention | null
  /** What everyone may see of the website, in the form of a share's parameters; null if the website is not public. */
  readonly public: object | null
  /** The slug of the website's newest share. */
  readonly shareId: string | null
  /** Part of every cache key for answers about the website. A purge increments it. */
  readonly cacheEpoch: number
  readonly createdAt: number
  readonly updatedAt: number
  /** The ids of its deleted sessions that are waiting for a purge; empty in lists of websites. */
  readonly deletedSessions: readonly string[]
}

/** A website, a link or a pixel as D1 stores it. Objects are stored as JSON. */
export type WebsiteRow = Omit<Website, 'replayConfig' | 'retention' | 'public' | 'deletedSessions'> & {
  readonly replayConfig: string | null
  readonly retention: string | null
  readonly public: string | null
  readonly deletedSessions?: string
}

/** Selects a column from the website's newest share. `id` is an SQL expression. */
export const ofNewestShare = (column: 'id' | 'slug', id: string): string =>
  `(SELECT ${column} FROM shares WHERE website_id = ${id} ORDER BY created_at DESC, id LIMIT 1)`

/** The columns of `WebsiteRow`. */
export const websiteColumns = `websites.id, kind, websites.name, domain, websites.user_id AS userId, team_id AS teamId,
  created_by AS createdBy, websites.slug, url, pass_query AS passQuery, reset_at AS resetAt, replay_config AS replayConfig, retention, public,
  ${ofNewestShare('slug', 'websites.id')} AS shareId, cache_epoch AS cacheEpoch,
  websites.created_at AS createdAt, websites.updated_at AS updatedAt`

/** `?1` is the website's id. */
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
