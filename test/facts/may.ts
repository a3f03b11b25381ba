/**
 * Who may call an endpoint, written by hand: what is intended, not what the code does. Each endpoint names one of these
 * rows. A row has the status for each kind of caller, in the order of `callers` in `test/permissions/world.ts`:
 *
 * non no credential · wrg a wrong key · exp an expired key of the owner · oth a write key for another website
 * lst the owner's write key for this website alone · rea the owner's read key · wri the owner's write key
 * out somebody else, signed in · own the owner, signed in · tow tma tme tvo members of the team whose website it is:
 * owner, manager, member, view-only · vou a manager of the team who is a view-only user
 * sha a share with the section · clo a share of the website that opens nothing · pub no credential, on a website that
 * opens the section to everyone · adm an admin, signed in · ope the operator's admin key
 */
export const may = {
  /** Callers who may view the website. If the section is open, also shares and everyone. */
  view: '401 401 401 403 200 200 200 403 200 200 200 200 200 200 200 403 200 200 200',
  /** Callers with their own right to view the website. No section opens it. */
  download: '401 401 401 403 200 200 200 403 200 200 200 200 200 200 403 403 401 200 200',
  /** Like `view`, about a session that does not exist. */
  viewSession: '401 401 401 403 404 404 404 403 404 404 404 404 404 404 404 403 404 404 404',
  /** Like `download`, about a replay that does not exist. */
  viewReplay: '401 401 401 403 404 404 404 403 404 404 404 404 404 404 403 403 401 404 404',
  /** Like `change`, about a session that does not exist. */
  deleteSession: '401 401 401 403 404 403 404 403 404 404 404 404 403 403 403 403 401 404 404',
  /** Callers who may change the website. */
  change: '401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200',
  /** Callers who may transfer the website. */
  transfer: '401 401 401 403 403 403 200 403 200 200 200 403 403 403 403 403 401 200 200',
  /** Callers who may view the link, pixel or board. Others get 404. */
  viewLink: '401 401 401 404 404 200 200 404 200 200 200 200 200 200 404 404 401 200 200',
  /** Callers who may change the link or pixel. Those who may not view it get 404. */
  changeLink: '401 401 401 404 404 403 200 404 200 200 200 200 403 403 404 404 401 200 200',
  /** Like `changeLink`; shares may change nothing. */
  changeBoard: '401 401 401 404 404 403 200 404 200 200 200 200 403 403 403 403 401 200 200',
  /** Callers who may view the website of a saved report. Others get 404. */
  viewReport: '401 401 401 404 200 200 200 404 200 200 200 200 200 200 403 403 401 200 200',
  /** Callers who may change the website of a saved report. */
  changeReport: '401 401 401 404 200 403 200 404 200 200 200 200 403 403 403 403 401 200 200',
  /** Callers who may change the website of a share. */
  viewShare: '401 401 401 404 200 404 200 404 200 200 200 200 404 404 403 403 401 200 200',
  /** Callers who may change the website of a share with a credential that may write. */
  changeShare: '401 401 401 404 200 403 200 404 200 200 200 200 404 404 403 403 401 200 200',
  /** Members of the team. */
  viewTeam: '401 401 401 403 403 200 200 403 200 200 200 200 200 200 403 403 401 200 200',
  /** Owners of the team. */
  deleteTeam: '401 401 401 403 403 403 200 403 200 200 403 403 403 403 403 403 401 200 200',
  /** Users, by sign-in or by an unrestricted key. */
  joinTeam: '401 401 401 403 403 403 200 200 200 200 200 200 200 200 403 403 401 200 403',
  /** Callers with an account or a key. The list has the caller's own items. */
  list: '401 401 401 200 200 200 200 200 200 200 200 200 200 200 403 403 401 200 200',
  /** Users, and their keys for everything. */
  listOwn: '401 401 401 403 403 200 200 200 200 200 200 200 200 200 403 403 401 200 200',
  /** Users who are not view-only, and their keys for everything that may write. */
  create: '401 401 401 403 403 403 200 200 200 200 200 200 200 403 403 403 401 200 200',
  /** Callers with any credential, including a share. */
  holder: '401 401 401 200 200 200 200 200 200 200 200 200 200 200 200 200 401 200 200',
  /** Users, signed in. */
  person: '401 401 401 403 403 403 403 200 200 200 200 200 200 200 403 403 401 200 403',
  /** Like `person`, about something that nobody has started. */
  conflict: '401 401 401 403 403 403 403 409 409 409 409 409 409 409 403 403 401 409 403',
  /** Only the token of a sign-in step, which is not a credential. */
  nobody: '401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401',
  /** Like `person`, about an issuer that is not configured. */
  joinIssuer: '401 401 401 403 403 403 403 400 400 400 400 400 400 400 403 403 401 400 403',
  /** Like `anyone`, about such an issuer. */
  anyIssuer: '400 400 400 400 400 400 400 400 400 400 400 400 400 400 400 400 400 400 400',
  /** Like `admin`, about an identity that does not exist. */
  deleteIdentity: '401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 404 404',
  /** The user of the key, signed in. It does not exist for others. */
  deleteKey: '401 401 401 403 403 403 403 404 200 404 404 404 404 404 403 403 401 404 403',
  /** Admins. */
  admin: '401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200',
  /** Everybody. */
  anyone: '200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200',
} as const

/** The name of a row. */
export type Row = keyof typeof may

/**
 * The status for each caller who requests a list in a format other than JSON. No share and no public website here sets
 * allowExport.
 */
export const mayExport = '401 401 401 403 200 200 200 403 200 200 200 200 200 200 403 403 403 200 200'
