/** A row for D1. Its first value is its id, but for rows that belong to another one. */
export interface Put {
  readonly table: keyof typeof takenBy | 'board_subjects' | 'seen_replays'
  readonly values: Readonly<Record<string, string | number | null>>
}

/** Why a row of the source is left out. */
export type Reason =
  | 'it is deleted in Umami'
  | 'its user is not here'
  | 'its team is not here'
  | 'its website, link, pixel or board is not here'
  | 'its role is unknown'
  | 'its type is unknown'
  | 'it has no name'
  | 'it has no slug'
  | 'its slug cannot stand in an address'
  | 'its target is no http or https address'
  | 'its parameters have no place here'
  | 'it is too large for D1'
  | (typeof takenBy)[keyof typeof takenBy]

/** What keeps a row out of each table, apart from its id. */
export const takenBy = {
  users: 'its name is taken',
  teams: 'its access code is taken',
  team_members: 'its user is in this team already',
  websites: 'its slug is taken',
  boards: 'its id is taken',
  shares: 'its slug is taken',
  segments: 'its id is taken',
  reports: 'its id is taken',
  annotations: 'its id is taken',
  saved_replays: 'its replay is saved already',
  api_keys: 'its hash is taken',
} as const

/** What somebody has to know of a row that is taken. */
export type Remark =
  | 'two factors are not imported: the password alone signs in'
  | 'the password cannot be taken over: give another one'
  | 'the name is taken: signs in under another one'
  | 'the display name has no place'
  | 'the picture of a user has no place'
  | 'has a new access code'
  | 'is made anew: its hash is of another kind'
  | 'has no owner: only an admin can change it'
  | 'its owner is gone: it is the operator’s'
  | 'names things that are not here'
  | 'some settings of recordings have no place'
  | 'some parameters have no place'
  | 'some goals have no place'

/** Something said of a row: its name, and what else there is to say. */
export interface Said {
  readonly remark: Remark
  readonly what: string
}

/** A key that was made anew: nothing but its hash is stored. */
export interface NewKey {
  readonly key: string
  readonly name: string
  /** Of its user. */
  readonly username: string
}

/** A thing to put into D1. */
export interface Thing {
  readonly put: Put
  /** The row that is put if another thing has the name of the first, and what is then said. */
  readonly otherwise?: { readonly put: Put; readonly said: Said }
  /** Rows that belong to it. */
  readonly also?: readonly Put[]
  readonly newKey?: NewKey
}

/** A row of the source that is left out, and what of it is the reason. */
export interface LeftOut {
  readonly leftOut: Reason
  readonly detail?: string | undefined
}

/** What becomes of a row of the source: mostly one thing. */
export type Moved = { readonly things: readonly Thing[]; readonly said?: readonly Said[] } | LeftOut

export const one = (put: Put, ...said: readonly Said[]): Moved => ({ things: [{ put }], said })

export const leftOut = (reason: Reason, detail?: string): LeftOut => ({ leftOut: reason, detail })

/** What is here already, or comes with this import. */
export interface Known {
  /** Names of users by their ids. */
  readonly users: ReadonlyMap<string, string>
  readonly teams: ReadonlySet<string>
  /** `team user` */
  readonly members: ReadonlySet<string>
  readonly websites: ReadonlyMap<string, { readonly kind: string; readonly userId: string | null }>
  readonly boards: ReadonlySet<string>
  /** The users of Umami who sign in with two factors. */
  readonly withTwoFactors: ReadonlySet<string>
  /** The only websites, links and pixels that are wanted; undefined: all. */
  readonly wanted: ReadonlySet<string> | undefined
  readonly now: number
}

/** A row whose website, link, pixel or board is not here. Where only some are wanted, nothing is said of it. */
export const withoutWebsite = ({ wanted }: Known): Moved =>
  wanted ? { things: [] } : leftOut('its website, link, pixel or board is not here')
