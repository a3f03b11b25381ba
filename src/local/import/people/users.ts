import { hashOf, newKey, prefixOf } from '../../../access/api-key.ts'
import { isBcrypt, nobodysHash } from '../../../access/password.ts'
import { makeSlug } from '../../../endpoints/shares/shares.ts'
import { roles } from '../../../endpoints/users/users.ts'
import { nameKeyOf } from '../../../metadata/users.ts'
import type { SourceRow } from '../source.ts'
import { stamps, textIn, timeIn } from './columns.ts'
import { type Known, leftOut, type Moved, one, type Put, type Said } from './thing.ts'

/** A user. If the name is taken, the start of the id is appended to it. */
export function userOf(row: SourceRow, known: Known): Moved {
  if (row.deleted_at !== null) return leftOut('it is deleted in Umami')
  const [id, username, role] = [row.user_id!, textIn(row, 'username').trim(), textIn(row, 'role')]
  if (username === '') return leftOut('it has no name')
  if (!(roles as readonly string[]).includes(role)) return leftOut('its role is unknown', role)
  const hash = textIn(row, 'password')
  const put = (name: string): Put => ({
    table: 'users',
    values: {
      ...{ id, username: name, name_key: nameKeyOf(name) },
      ...{ password_hash: isBcrypt(hash) ? hash : nobodysHash, role, ...stamps(row, known.now) },
    },
  })
  const other = `${username} ${id.slice(0, 8)}`
  const said: Said = { remark: 'the name is taken: signs in under another one', what: `${username}: ${other}` }
  return {
    things: [{ put: put(username), otherwise: { put: put(other), said } }],
    said: saidOfUser(row, username, isBcrypt(hash), known),
  }
}

function saidOfUser(row: SourceRow, username: string, hasPassword: boolean, { withTwoFactors }: Known): Said[] {
  const [name, picture] = [textIn(row, 'display_name'), textIn(row, 'logo_url')]
  const said: Said[] = []
  if (withTwoFactors.has(row.user_id!)) {
    said.push({ remark: 'two factors are not imported: the password is enough', what: username })
  }
  if (!hasPassword) said.push({ remark: 'the password cannot be imported: set a new one', what: username })
  if (name !== '' && name !== username) {
    said.push({ remark: 'the display name is not imported', what: `${username}: ${name}` })
  }
  if (picture !== '') said.push({ remark: 'the picture of a user is not imported', what: `${username}: ${picture}` })
  return said
}

/** A team. It receives a new access code if its own is missing or taken. */
export function teamOf(row: SourceRow, { now }: Known): Moved {
  if (row.deleted_at !== null) return leftOut('it is deleted in Umami')
  const [name, code] = [textIn(row, 'name'), textIn(row, 'access_code')]
  const put = (access_code: string): Put => ({
    table: 'teams',
    values: {
      ...{ id: row.team_id!, name, search: name.toLowerCase(), access_code },
      ...{ logo_url: row.logo_url ?? null, ...stamps(row, now) },
    },
  })
  const said: Said = { remark: 'has a new access code', what: name }
  const anew = put(`team_${makeSlug()}`)
  return code === '' ? one(anew, said) : { things: [{ put: put(code), otherwise: { put: anew, said } }] }
}

const teamRoles = ['team-owner', 'team-manager', 'team-member', 'team-view-only']

export function memberOf(row: SourceRow, { users, teams, now }: Known): Moved {
  const [team_id, user_id, role] = [textIn(row, 'team_id'), textIn(row, 'user_id'), textIn(row, 'role')]
  if (!teams.has(team_id)) return leftOut('its team is not here')
  if (!users.has(user_id)) return leftOut('its user is not here')
  if (!teamRoles.includes(role)) return leftOut('its role is unknown', role)
  const values = { id: row.team_user_id!, team_id, user_id, role, ...stamps(row, now) }
  return one({ table: 'team_members', values })
}

/**
 * An API key. As in Umami, it gives access to everything that its user can access. A key whose hash is not SHA-512 is
 * replaced.
 */
export async function keyOf(row: SourceRow, { users, now }: Known): Promise<Moved> {
  const [user_id, name, key_hash] = [textIn(row, 'user_id'), textIn(row, 'name'), textIn(row, 'key_hash').toLowerCase()]
  const username = users.get(user_id)
  if (username === undefined) return leftOut('its user is not here')
  const put = (key: { readonly key_hash: string; readonly key_prefix: string }): Put => ({
    table: 'api_keys',
    values: {
      ...{ id: row.api_key_id!, name, ...key, is_admin: 0, user_id, access: 'write', all_websites: 1 },
      ...{ created_at: stamps(row, now).created_at, last_used_at: timeIn(row, 'last_used_at') },
    },
  })
  if (/^[\da-f]{128}$/.test(key_hash)) return one(put({ key_hash, key_prefix: textIn(row, 'key_prefix') }))
  const key = newKey()
  const thing = {
    put: put({ key_hash: await hashOf(key), key_prefix: prefixOf(key) }),
    newKey: { key, name, username },
  }
  return {
    things: [thing],
    said: [{ remark: 'is replaced with a new key: its hash is of another kind', what: `${name} of ${username}` }],
  }
}
