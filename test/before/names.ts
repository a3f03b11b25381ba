/** Ids and secrets of everything that the requests name. Ids are of version 8: those that a Worker makes are of version 4. */

const uuid = (kind: number, number: number): string =>
  `${String(kind).repeat(8)}-0000-8000-8000-${String(number).padStart(12, '0')}`

const idsOf = <Name extends string>(kind: number, names: readonly Name[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name, index) => [name, uuid(kind, index + 1)]))

const users = [
  ...['owner', 'outsider', 'view-only', 'admin', 'member', 'newcomer'],
  ...['team-owner', 'team-manager', 'team-member', 'team-view-only', 'doomed', 'changing', 'ÜNAL'],
]

const keyNames = ['operator', 'expired', 'other', 'listed', 'read', 'write', 'of origins', 'doomed'] as const

export const ids = {
  user: idsOf(1, users),
  signIn: idsOf(2, users),
  team: idsOf(3, ['ours', 'theirs', 'doomed']),
  membership: Array.from({ length: 20 }, (_, index) => uuid(4, index + 1)),
  website: idsOf(5, [
    ...['own', 'teams', 'public', 'locked', 'origins', 'reset'],
    ...['empty', 'elsewhere', 'doomed', 'changing', 'deleted'],
  ]),
  share: idsOf(6, [
    ...['open', 'closed', 'locked', 'unfiltered', 'origins'],
    ...['expired', 'lasting', 'doomed', 'changing'],
  ]),
  segment: idsOf(7, [
    ...['chrome', 'several', 'distinct', 'pattern', 'buyers'],
    ...['readers', 'today', 'unfinished', 'doomed', 'changing'],
  ]),
  key: idsOf(8, keyNames),
  /** Of nothing. */
  nobody: '99999999-0000-8000-8000-000000000000',
} as const

export const secrets = {
  key: Object.fromEntries(keyNames.map((name) => [name, `api_seed-${name.replace(' ', '-').padEnd(38, '_')}`])),
} as { readonly key: Readonly<Record<string, string | undefined>> }

/** The password of every user. */
export const password = 'correct horse battery staple'

/** An event of every website that has any, with properties. */
export const knownEvent = '00000000-0000-8000-8000-00000000e1e1'

export const callers = [
  ...(['none', 'wrong', 'expired', 'other', 'listed', 'read', 'write', 'outsider', 'owner'] as const),
  ...(['team-owner', 'team-manager', 'team-member', 'team-view-only', 'view-only'] as const),
  ...(['share', 'closed share', 'public', 'admin', 'operator'] as const),
] as const

export type Caller =
  | (typeof callers)[number]
  | 'of origins'
  | 'doomed'
  | 'changing'
  | 'member'
  | 'newcomer'
  | `share ${string}`
