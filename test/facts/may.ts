/**
 * Who may call an endpoint. It is written by hand, and shows the intention, not the code's behaviour. Each endpoint
 * refers to a row. A row has one status per kind of caller, in the order of `callers` in `test/permissions/world.ts`:
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
  /** Callers with a right of their own to view the website. No section opens it. */
  download: '401 401 401 403 200 200 200 403 200 200 200 200 200 200 403 403 401 200 200',
  /** Like `view`, but for a session that does not exist. */
  viewSession: '401 401 401 403 404 404 404 403 404 404 404 404 404 404 404 403 404 404 404',
  /** Like `download`, but for a replay that does not exist. */
  viewReplay: '401 401 401 403 404 404 404 403 404 404 404 404 404 404 403 403 401 404 404',
  /** Like `change`, but for a session that does not exist. */
  deleteSession: '401 401 401 403 404 403 404 403 404 404 404 404 403 403 403 403 401 404 404',
  /** Callers who may change the website. */
  change: '401 401 401 403 200 403 200 403 200 200 200 200 403 403 403 403 401 200 200',
  /** Callers who may transfer the website. */
  transfer: '401 401 401 403 403 403 200 403 200 200 200 403 403 403 403 403 401 200 200',
  /** Callers who may view the link, pixel or board. Others get 404. */
  viewLink: '401 401 401 404 404 200 200 404 200 200 200 200 200 200 404 404 401 200 200',
  /** Callers who may change the link or pixel. Those who may not view it get 404. */
  changeLink: '401 401 401 404 404 403 200 404 200 200 200 200 403 403 404 404 401 200 200',
  /** Like `changeLink`, but shares may not change anything. */
  changeBoard: '401 401 401 404 404 403 200 404 200 200 200 200 403 403 403 403 401 200 200',
  /** Callers who may view the website of a saved report. Others get 404. */
  viewReport: '401 401 401 404 200 200 200 404 200 200 200 200 200 200 403 403 401 200 200',
  /** Callers who may change the website of a saved report. */
  changeReport: '401 401 401 404 200 403 200 404 200 200 200 200 403 403 403 403 401 200 200',
  /** Callers who may change the website of a share. */
  viewShare: '401 401 401 404 200 404 200 404 200 200 200 200 404 404 403 403 401 200 200',
  /** Callers who may change the website of a share, with a credential that may write. */
  changeShare: '401 401 401 404 200 403 200 404 200 200 200 200 404 404 403 403 401 200 200',
  /** Members of the team. */
  viewTeam: '401 401 401 403 403 200 200 403 200 200 200 200 200 200 403 403 401 200 200',
  /** Owners of the team. */
  deleteTeam: '401 401 401 403 403 403 200 403 200 200 403 403 403 403 403 403 401 200 200',
  /** Users, with a sign-in or an unrestricted key. */
  joinTeam: '401 401 401 403 403 403 200 200 200 200 200 200 200 200 403 403 401 200 403',
  /** Callers with an account or a key. The list contains the caller's own items. */
  list: '401 401 401 200 200 200 200 200 200 200 200 200 200 200 403 403 401 200 200',
  /** Users, and their unrestricted keys. */
  listOwn: '401 401 401 403 403 200 200 200 200 200 200 200 200 200 403 403 401 200 200',
  /** Users who are not view-only, and their unrestricted keys that may write. */
  create: '401 401 401 403 403 403 200 200 200 200 200 200 200 403 403 403 401 200 200',
  /** Callers with any credential, including a share. */
  holder: '401 401 401 200 200 200 200 200 200 200 200 200 200 200 200 200 401 200 200',
  /** Signed-in users. */
  person: '401 401 401 403 403 403 403 200 200 200 200 200 200 200 403 403 401 200 403',
  /** Like `person`, but for a process that nobody has started. */
  conflict: '401 401 401 403 403 403 403 409 409 409 409 409 409 409 403 403 401 409 403',
  /** Only the token from a sign-in step, which is not a credential. */
  nobody: '401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401',
  /** Like `person`, but for an issuer that is not configured. */
  joinIssuer: '401 401 401 403 403 403 403 400 400 400 400 400 400 400 403 403 401 400 403',
  /** Like `anyone`, but for an issuer that is not configured. */
  anyIssuer: '400 400 400 400 400 400 400 400 400 400 400 400 400 400 400 400 400 400 400',
  /** Like `admin`, but for an identity that does not exist. */
  deleteIdentity: '401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 404 404',
  /** The key's user, signed in. For others, the key does not exist. */
  deleteKey: '401 401 401 403 403 403 403 404 200 404 404 404 404 404 403 403 401 404 403',
  /** Admins. */
  admin: '401 401 401 403 403 403 403 403 403 403 403 403 403 403 403 403 401 200 200',
  /** Everybody. */
  anyone: '200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200',
} as const

/** A row's name. */
export type Row = keyof typeof may

/**
 * The status for each caller who requests a list in a format other than JSON. No share or public website in these
 * tests sets allowExport.
 */
export const mayExport = '401 401 401 403 200 200 200 403 200 200 200 200 200 200 403 403 403 200 200'
