import { randomUUID } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { newKey } from '../../src/access/api-key.ts'
import { sections } from '../../src/access/opening.ts'
import { organisation, type Target } from '../support/organisation.ts'

/** A separate small organisation that no other test uses, written directly into D1. */
export interface World {
  /** The headers that each kind of caller sends. */
  readonly headers: Readonly<Record<Caller, Readonly<Record<string, string>>>>
  /** The owner's, the team's and the public website. */
  readonly targets: Readonly<Record<'own' | 'teams' | 'public', Target>>
  readonly ownerId: string
  /** A team member who is not a caller here. */
  readonly memberId: string
  readonly memberName: string
  /** A user who is not in any team. */
  readonly newcomerId: string
  /** A key of the owner that no request uses. */
  readonly keyId: string
  /** The access code of a second team, to which none of the callers belong. */
  readonly accessCode: string
}

const everySection = Object.fromEntries(sections.map((section) => [section, true]))

/** Every kind of caller, in the order of the table's columns. */
export const callers = [
  ...['none', 'wrong', 'expired', 'other', 'listed', 'read', 'write', 'outsider', 'owner', 'team-owner'],
  ...['team-manager', 'team-member', 'team-view-only', 'view-only', 'share', 'closed share', 'public', 'admin'],
  'operator',
] as const

export type Caller = (typeof callers)[number]

/** The target of a caller's requests. */
export const targetOf = (caller: Caller): keyof World['targets'] =>
  caller.startsWith('team-') || caller === 'view-only' ? 'teams' : caller === 'public' ? 'public' : 'own'

const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` })

/** Creates a world in which everything is new and every name contains `marker`. */
export async function newWorld(database: D1Database, secret: string, marker: string = randomUUID()): Promise<World> {
  const { user, nameOf, signIn, key, team, join, share, website, insert } = organisation(secret, marker)
  const [owner, outsider, viewOnly] = [user(), user(), user({ role: 'view-only' })]
  const [admin, member, newcomer] = [user({ role: 'admin' }), user(), user()]
  const [ours, theirs] = [team(), team()]
  join(theirs.id, user(), 'team-owner')
  join(ours.id, owner, 'team-owner')
  join(ours.id, member, 'team-member')
  join(ours.id, viewOnly, 'team-manager')
  const inTeam = async (role: string) => {
    const id = user()
    join(ours.id, id, role)
    return signIn(id)
  }
  const own = await website({ user_id: owner, created_by: owner }, ours.id)
  const teams = await website({ team_id: ours.id, created_by: owner }, ours.id)
  const open = await website({ user_id: owner, public: JSON.stringify(everySection) }, ours.id)
  const elsewhere = await website({ user_id: outsider }, theirs.id)
  const opened = await share(own.websiteId, everySection)
  const closed = await share(own.websiteId, {})
  const kept = await key({ user_id: owner })
  const ofKey = async (...given: Parameters<typeof key>) => (await key(...given)).headers
  const headers: World['headers'] = {
    none: {},
    wrong: bearer(newKey()),
    expired: await ofKey({ user_id: owner, expires_at: Date.now() - 1 }),
    other: await ofKey({ all_websites: 0 }, [elsewhere.websiteId]),
    listed: await ofKey({ user_id: owner, all_websites: 0 }, [own.websiteId]),
    read: await ofKey({ user_id: owner, access: 'read' }),
    write: await ofKey({ user_id: owner }),
    ...{ outsider: await signIn(outsider), owner: await signIn(owner), 'team-owner': await inTeam('team-owner') },
    ...{ 'team-manager': await inTeam('team-manager'), 'team-member': await inTeam('team-member') },
    ...{ 'team-view-only': await inTeam('team-view-only'), 'view-only': await signIn(viewOnly) },
    share: { 'x-weir-share-token': opened.token },
    'closed share': { 'x-umami-share-token': closed.token, 'x-umami-share-context': '1' },
    public: {},
    admin: await signIn(admin),
    operator: await ofKey({ is_admin: 1 }),
  }
  await insert(database)
  return {
    ...{ headers, targets: { own, teams, public: open }, ownerId: owner, memberId: member, newcomerId: newcomer },
    ...{ memberName: nameOf(member), keyId: kept.id, accessCode: theirs.accessCode },
  }
}
