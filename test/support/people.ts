import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { hashOf, newKey, prefixOf } from '../../src/access/api-key.ts'
import { type Tokens, tokens } from '../../src/access/tokens.ts'
import { places } from '../../src/local/paths.ts'
import type { TeamRole, UserRole } from '../../src/metadata/person.ts'
import { metadata } from './metadata.ts'
import { cheaplyHashed } from './passwords.ts'
import { running } from './weir.ts'

/** A user with a sign-in. */
export interface Person {
  readonly id: string
  readonly username: string
  /** Headers with the sign-in token. */
  readonly headers: Headers
}

export interface Team {
  readonly id: string
  readonly name: string
  readonly accessCode: string
}

type Headers = Readonly<Record<string, string>>
type Row = Readonly<Record<string, string | number | null>>

/** The password of every user created here. */
export const password = 'correct horse battery staple'

/** The Worker's D1. The Worker caches look-ups for ten seconds, and does not notice changes made here. */
export const database = async (): Promise<D1Database> => metadata

/** Creates and reads tokens in the same way as the Worker. */
export const signer = async (): Promise<Tokens> => tokens(readFileSync(places(running.dataDir).authSecret, 'utf8'))

const hashed = cheaplyHashed(password)

/** A test of the long run may take hours. */
const day = 24 * 3_600_000

/** Statements that are waiting for the next round trip to D1, and the promise for its end. */
let waiting: D1PreparedStatement[] = []
let sent: Promise<unknown> | undefined

/**
 * Inserts a row directly into D1, so that no test depends on another test's endpoints. Rows that arrive at the same
 * time share a round trip.
 */
export async function insert(table: string, row: Row): Promise<void> {
  const names = Object.keys(row)
  const slots = names.map((_, index) => `?${index + 1}`).join(', ')
  const query = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${slots})`
  waiting.push(metadata.prepare(query).bind(...Object.values(row)))
  sent ??= nextTurn().then(() => {
    const all = waiting
    ;[waiting, sent] = [[], undefined]
    return metadata.batch(all)
  })
  await sent
}

const stamped = (row: Row): Row => ({ id: randomUUID(), created_at: Date.now(), updated_at: Date.now(), ...row })

export const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })

/** Creates a user and a sign-in. */
export async function newPerson({
  role = 'user',
  username = `user-${randomUUID()}`,
}: {
  role?: UserRole
  username?: string
} = {}): Promise<Person> {
  const id = randomUUID()
  const named = { username, name_key: username.toLowerCase() }
  await insert('users', stamped({ id, ...named, password_hash: hashed, role }))
  return { id, username, headers: await signedIn({ id }) }
}

/** Headers for another sign-in of the user, valid for a day or until `expiresAt`. */
export async function signedIn(user: Pick<Person, 'id'>, expiresAt = Date.now() + day): Promise<Headers> {
  const id = randomUUID()
  await insert('sign_ins', { id, user_id: user.id, created_at: Date.now(), expires_at: expiresAt })
  return bearer(await (await signer()).make({ typ: 'sign-in', jti: id }, Date.now() + day))
}

/** Creates a team that this person owns. */
export async function newTeam(owner: Pick<Person, 'id'>, name = `Team ${randomUUID()}`): Promise<Team> {
  const team = { id: randomUUID(), name, accessCode: `team_${randomUUID()}` }
  await insert('teams', stamped({ id: team.id, name, search: name.toLowerCase(), access_code: team.accessCode }))
  await join(team, owner, 'team-owner')
  return team
}

/**
 * Adds a member. The Worker may have cached the person, so only a person without earlier requests counts as a member
 * immediately.
 */
export const join = (team: Pick<Team, 'id'>, person: Pick<Person, 'id'>, role: TeamRole): Promise<void> =>
  insert('team_members', stamped({ team_id: team.id, user_id: person.id, role }))

/** Creates a person and adds them to the team. */
export async function member(team: Pick<Team, 'id'>, role: TeamRole): Promise<Person> {
  const person = await newPerson()
  await join(team, person, role)
  return person
}

/** Creates a website that belongs to a user, a team or, by default, the operator. */
export async function websiteOf(
  { userId = null, teamId = null }: { userId?: string | null; teamId?: string | null } = {},
  columns: Row = {},
): Promise<string> {
  const id = randomUUID()
  const name = `Website ${id}`
  const owned = { user_id: userId, team_id: teamId, created_by: userId }
  const named = { name, domain: 'example.com', search: `${name}\nexample.com`.toLowerCase() }
  await insert('websites', stamped({ id, ...named, ...owned, ...columns }))
  return id
}

/** Headers for a new key of the user or the operator, for everything that the owner may do or for some websites. */
export async function keyOf(
  owner: Pick<Person, 'id'> | undefined,
  options: {
    access?: 'read' | 'write'
    websiteIds?: readonly string[]
    origins?: readonly string[]
    expiresAt?: number
  } = {},
): Promise<Headers> {
  const { access = 'write', websiteIds, origins, expiresAt = null } = options
  const [id, key] = [randomUUID(), newKey()]
  await insert('api_keys', {
    ...{ id, name: 'of a test', key_hash: await hashOf(key), key_prefix: prefixOf(key) },
    is_admin: owner === undefined && websiteIds === undefined ? 1 : 0,
    created_at: Date.now(),
    user_id: owner?.id ?? null,
    access,
    all_websites: websiteIds === undefined ? 1 : 0,
    origins: origins ? JSON.stringify(origins) : null,
    expires_at: expiresAt,
  })
  for (const website_id of websiteIds ?? []) await insert('api_key_websites', { key_id: id, website_id })
  return bearer(key)
}
