/** What an import reads, in the order in which it is read. */
export const kinds = ['events', 'sessionData', 'replays', 'heatmaps'] as const

export type Kind = (typeof kinds)[number]

/** A row of the source by the names of its columns, as text. NULL, and a column that the source lacks, is `null`. */
export type SourceRow = Readonly<Record<string, string | null>>

/** A row with the rows of its properties; only events have some. */
export interface SourceRecord {
  readonly row: SourceRow
  readonly properties: readonly SourceRow[]
}

/** The key of the last row that was read. What it means is the source's own. */
export type Cursor = readonly string[]

/** Some rows, in the order of the source. */
export interface SourcePage {
  readonly records: readonly SourceRecord[]
  readonly after: Cursor
}

/** Milliseconds since 1970: from the first on, and before the second. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** Which rows a section has: those of a span, or those whose time no event of Weir can have. */
type Rows = { readonly in: Span; readonly savedOnly?: boolean } | { readonly outside: Span }

/** A part of an import. It is read as a whole; the state file knows it by its name. */
export interface Section {
  readonly name: string
  readonly kind: Kind
  readonly websiteIds: readonly string[]
  readonly rows: Rows
  /** How many rows it had when they were counted. */
  readonly count: number
}

/** Rows of a website that begin in a span of time, by the name of that span: a month or an hour. */
export interface Count {
  readonly websiteId: string
  readonly span: string
  readonly rows: number
}

/** A website, link or pixel of the source. */
export interface SourceWebsite {
  readonly id: string
  readonly isDeleted: boolean
  readonly maskLevel: 'moderate' | 'strict'
}

/** What a count looks at. */
export interface Counted {
  readonly kind: Kind
  readonly websiteIds: readonly string[]
  readonly span: Span
  /** Only replays that somebody has saved. */
  readonly savedOnly?: boolean
}

/** What a source is asked for. It runs one statement at a time. */
export interface Source {
  readonly store: 'postgresql' | 'clickhouse' | 'export'
  /** The host and the database, without credentials. A state file belongs to it. */
  readonly identity: string
  readonly kinds: readonly Kind[]
  /** Whether a section has one website; else it has all that are wanted. */
  readonly isByWebsite: boolean
  /** Whether more may arrive. */
  readonly canFollow: boolean
  /** Websites, links and pixels, if their list is known. */
  websites(): Promise<readonly SourceWebsite[] | undefined>
  /** The ids that events have. */
  idsOfEvents(): Promise<readonly string[]>
  /** Whether somebody has saved a replay. */
  hasSaved(): Promise<boolean>
  months(counted: Counted): Promise<readonly Count[]>
  hours(counted: Counted): Promise<readonly Count[]>
  /** How many rows have a time outside of the span, or none. */
  outside(counted: Counted): Promise<readonly Omit<Count, 'span'>[]>
  read(section: Section, after: Cursor | undefined): AsyncIterable<SourcePage>
  close(): Promise<void>
}
