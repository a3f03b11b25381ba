/** The kinds of data, in the order in which an import reads them. */
export const kinds = ['events', 'sessionData', 'replays', 'heatmaps'] as const

export type Kind = (typeof kinds)[number]

/** A row of the source: texts by column name. NULL and missing columns become `null`. */
export type SourceRow = Readonly<Record<string, string | null>>

/** An event: the values of `eventColumns`, and the rows of its properties. NULL is like an empty text. */
export interface SourceEvent {
  readonly values: readonly unknown[]
  readonly properties: readonly SourceRow[]
}

/** The sort key of the last row that was read. Its format is private to the source. */
export type Cursor = readonly string[]

/** A page of events, or of rows of another kind, in the order of the source. */
export interface SourcePage {
  readonly events: readonly SourceEvent[]
  readonly rows: readonly SourceRow[]
  readonly after: Cursor
}

/** Milliseconds since 1970: `from` is included, `until` is not. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** The rows of a section, which are those in a span or those whose time Weir does not accept. */
type Rows = { readonly in: Span; readonly savedOnly?: boolean } | { readonly outside: Span }

/** A part of an import, read as a whole. Its name identifies it in the state file. */
export interface Section {
  readonly name: string
  readonly kind: Kind
  readonly websiteIds: readonly string[]
  readonly rows: Rows
  /** The number of its rows when they were counted. */
  readonly count: number
}

/** The number of a website's rows in a span. A span is a month or an hour, named by its start. */
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

/** Which rows of a source to count. */
export interface Counted {
  readonly kind: Kind
  readonly websiteIds: readonly string[]
  readonly span: Span
  /** Only replays that somebody has saved. */
  readonly savedOnly?: boolean
}

/** The first session of each visit that has several, by the visit's id. */
export type FirstSessions = ReadonlyMap<string, string>

/** A source of an import. It runs one statement at a time. */
export interface Source {
  readonly store: 'postgresql' | 'clickhouse' | 'export'
  /** The host and the database, without credentials. A state file belongs to one identity. */
  readonly identity: string
  readonly kinds: readonly Kind[]
  /** Whether a section has rows of one website only; otherwise it has rows of all wanted websites. */
  readonly isByWebsite: boolean
  /** Whether more rows may arrive. */
  readonly canFollow: boolean
  /** Websites, links and pixels, if their list is known. */
  websites(): Promise<readonly SourceWebsite[] | undefined>
  /** The website ids of events. */
  idsOfEvents(): Promise<readonly string[]>
  /** Whether somebody has saved a replay. */
  hasSaved(): Promise<boolean>
  months(counted: Counted): Promise<readonly Count[]>
  hours(counted: Counted): Promise<readonly Count[]>
  /** The number of rows without a time, or with a time outside the span. */
  outside(counted: Counted): Promise<readonly Omit<Count, 'span'>[]>
  /** The first sessions of the visits in a section of events that have several sessions. */
  firstSessions(section: Section): Promise<FirstSessions>
  read(section: Section, after: Cursor | undefined): AsyncIterable<SourcePage>
  close(): Promise<void>
}
