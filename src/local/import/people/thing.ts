/** A row for D1. Its first value is its id, except for rows that belong to another row. */
export interface Put {
  readonly table: keyof typeof takenBy | 'board_subjects' | 'seen_replays'
  readonly values: Readonly<Record<string, string | number | null>>
}

/** The reasons to leave out a row of the source. */
export type Reason =
  | 'it is deleted in Umami'
  | 'its user is not here'
  | 'its team is not here'
  | 'its website, link, pixel or board is not here'
  | 'its role is unknown'
  | 'its type is unknown'
  | 'it has no name'
  | 'it has no slug'
  | 'its slug is not valid in an address'
  | 'its target is not an http or https address'
  | 'its parameters are not supported'
  | 'it is too large for D1'
  | (typeof takenBy)[keyof typeof takenBy]

/** For each table, why a row cannot be inserted although its id is free. */
export const takenBy = {
  users: 'its name is taken',
  teams: 'its access code is taken',
  team_members: 'its user is already in this team',
  websites: 'its slug is taken',
  boards: 'its id is taken',
  shares: 'its slug is taken',
  segments: 'its id is taken',
  reports: 'its id is taken',
  annotations: 'its id is taken',
  saved_replays: 'its replay is already saved',
  api_keys: 'its hash is taken',
} as const

/** The remarks about imported rows. */
export type Remark =
  | 'two factors are not imported: the password is enough'
  | 'the password cannot be imported: set a new one'
  | 'the name is taken: signs in under another one'
  | 'the display name is not imported'
  | 'the picture of a user is not imported'
  | 'has a new access code'
  | 'is replaced with a new key: its hash is of another kind'
  | 'has no owner: only an admin can change it'
  | 'its owner is gone: the operator owns it'
  | 'refers to objects that do not exist here'
  | 'some recording settings are not imported'
  | 'some parameters are not imported'
  | 'some goals are not imported'

/** A remark about an imported row, and the value that it concerns. */
export interface Said {
  readonly remark: Remark
  readonly what: string
}

/** A new API key. The key itself is not stored, because D1 has only its hash. */
export interface NewKey {
  readonly key: string
  readonly name: string
  /** The name of its user. */
  readonly username: string
}

/** An object, such as a user or a board, to insert into D1. */
export interface Thing {
  readonly put: Put
  /** The row to insert if the name of the first one is taken, and the remark for that case. */
  readonly otherwise?: { readonly put: Put; readonly said: Said }
  /** Dependent rows, such as the subjects of a board. */
  readonly also?: readonly Put[]
  readonly newKey?: NewKey
}

/** A row of the source that is left out, with the reason and its detail. */
export interface LeftOut {
  readonly leftOut: Reason
  readonly detail?: string | undefined
}

/** The result for one row of the source: usually a single object. */
export type Moved = { readonly things: readonly Thing[]; readonly said?: readonly Said[] } | LeftOut

export const one = (put: Put, ...said: readonly Said[]): Moved => ({ things: [{ put }], said })

export const leftOut = (reason: Reason, detail?: string): LeftOut => ({ leftOut: reason, detail })

/** Everything that Weir already has, or will have after this import. */
export interface Known {
  /** User names by id. */
  readonly users: ReadonlyMap<string, string>
  readonly teams: ReadonlySet<string>
  /** Pairs of a team's and a user's id: `team user`. */
  readonly members: ReadonlySet<string>
  readonly websites: ReadonlyMap<string, { readonly kind: string; readonly userId: string | null }>
  readonly boards: ReadonlySet<string>
  /** Umami users who sign in with two factors. */
  readonly withTwoFactors: ReadonlySet<string>
  /** The websites, links and pixels to import; undefined for all. */
  readonly wanted: ReadonlySet<string> | undefined
  readonly now: number
}

/**
 * The result for a row whose website, link, pixel or board is unknown. If only some websites are imported, it is
 * skipped silently.
 */
export const withoutWebsite = ({ wanted }: Known): Moved =>
  wanted ? { things: [] } : leftOut('its website, link, pixel or board is not here')
