import { randomUUID } from 'node:crypto'
import { boardShare } from './boards.ts'
import { metadata } from './metadata.ts'
import { join, keyOf, newPerson, newTeam, websiteOf } from './people.ts'
import { publicWebsite, share } from './ways.ts'

/** Runs a statement on D1, as another isolate would. */
export const runElsewhere = (query: string, ...values: unknown[]) =>
  metadata
    .prepare(query)
    .bind(...values)
    .run()

type Headers = Readonly<Record<string, string>>

/** A way to read a website, and a change elsewhere that revokes it. */
export interface Revocation {
  readonly websiteId: string
  readonly headers: Headers
  readonly query?: Readonly<Record<string, string>>
  readonly end: () => Promise<unknown>
  /** The status after that change. */
  readonly status: number
}

/** Each kind of access that can be revoked, newly created. */
export const revocations: readonly (readonly [string, () => Promise<Revocation>])[] = [
  [
    'a key is deleted',
    async () => {
      const websiteId = await websiteOf()
      const headers = await keyOf(undefined, { websiteIds: [websiteId] })
      const end = () =>
        runElsewhere(
          'DELETE FROM api_keys WHERE id IN (SELECT key_id FROM api_key_websites WHERE website_id = ?1)',
          websiteId,
        )
      return { websiteId, headers, end, status: 401 }
    },
  ],
  [
    'a key is limited to other websites',
    async () => {
      const websiteId = await websiteOf()
      const headers = await keyOf(undefined, { websiteIds: [websiteId] })
      const end = () =>
        runElsewhere('UPDATE api_key_websites SET website_id = ?2 WHERE website_id = ?1', websiteId, randomUUID())
      return { websiteId, headers, end, status: 403 }
    },
  ],
  [
    'somebody signs out',
    async () => {
      const person = await newPerson()
      const end = () => runElsewhere('DELETE FROM sign_ins WHERE user_id = ?1', person.id)
      return { websiteId: await websiteOf({ userId: person.id }), headers: person.headers, end, status: 401 }
    },
  ],
  [
    'a member leaves the team',
    async () => {
      const [owner, person] = [await newPerson(), await newPerson()]
      const team = await newTeam(owner)
      await join(team, person, 'team-member')
      const end = () => runElsewhere('DELETE FROM team_members WHERE user_id = ?1', person.id)
      return { websiteId: await websiteOf({ teamId: team.id }), headers: person.headers, end, status: 403 }
    },
  ],
  [
    'a share is deleted',
    async () => {
      const made = await share()
      return { ...made, end: () => runElsewhere('DELETE FROM shares WHERE id = ?1', made.id), status: 401 }
    },
  ],
  [
    'a share gets a different slug',
    async () => {
      const made = await share()
      return {
        ...made,
        end: () => runElsewhere('UPDATE shares SET slug = ?2 WHERE id = ?1', made.id, randomUUID()),
        status: 401,
      }
    },
  ],
  [
    'a share that is read by its slug gets a different slug',
    async () => {
      const { id: shareId, websiteId, slug } = await share()
      const end = () => runElsewhere('UPDATE shares SET slug = ?2 WHERE id = ?1', shareId, randomUUID())
      return { websiteId, headers: {}, query: { share: slug }, end, status: 401 }
    },
  ],
  [
    'a share no longer opens the section',
    async () => {
      const made = await share()
      const end = () => runElsewhere('UPDATE shares SET parameters = ?2 WHERE id = ?1', made.id, '{"events":false}')
      return { ...made, end, status: 403 }
    },
  ],
  [
    'a website is no longer public',
    async () => {
      const websiteId = await publicWebsite({})
      return {
        websiteId,
        headers: {},
        end: () => runElsewhere('UPDATE websites SET public = NULL WHERE id = ?1', websiteId),
        status: 401,
      }
    },
  ],
  [
    'a public website no longer allows filters',
    async () => {
      const websiteId = await publicWebsite({})
      const closed = JSON.stringify({ events: true, allowFilter: false })
      const end = () => runElsewhere('UPDATE websites SET public = ?2 WHERE id = ?1', websiteId, closed)
      return { websiteId, headers: {}, query: { browser: 'chrome' }, end, status: 403 }
    },
  ],
  [
    'a public website allows another origin instead',
    async () => {
      const websiteId = await publicWebsite({ origins: ['https://a.example'] })
      const moved = JSON.stringify({ events: true, origins: ['https://b.example'] })
      const end = () => runElsewhere('UPDATE websites SET public = ?2 WHERE id = ?1', websiteId, moved)
      return { websiteId, headers: { origin: 'https://a.example' }, end, status: 403 }
    },
  ],
  [
    'the owner of a shared board becomes view-only in the team',
    async () => {
      const [owner, person] = [await newPerson(), await newPerson()]
      const team = await newTeam(owner)
      await join(team, person, 'team-member')
      const websiteId = await websiteOf({ teamId: team.id })
      const { headers } = await boardShare([{ id: websiteId }], { userId: person.id })
      const end = () => runElsewhere(`UPDATE team_members SET role = 'team-view-only' WHERE user_id = ?1`, person.id)
      return { websiteId, headers, end, status: 403 }
    },
  ],
  [
    'a member whose website is on a team’s board leaves the team',
    async () => {
      const [owner, person] = [await newPerson(), await newPerson()]
      const team = await newTeam(owner)
      await join(team, person, 'team-member')
      const websiteId = await websiteOf({ userId: person.id })
      const { headers } = await boardShare([{ id: websiteId, putBy: person.id }], { teamId: team.id })
      const end = () => runElsewhere('DELETE FROM team_members WHERE user_id = ?1', person.id)
      return { websiteId, headers, end, status: 403 }
    },
  ],
  [
    'a shared board no longer includes the website',
    async () => {
      const websiteId = await websiteOf()
      const { headers } = await boardShare([{ id: websiteId }])
      const end = () => runElsewhere('DELETE FROM board_subjects WHERE subject_id = ?1', websiteId)
      return { websiteId, headers, end, status: 403 }
    },
  ],
  [
    'a website on a shared board gets another owner',
    async () => {
      const [owner, person] = [await newPerson(), await newPerson()]
      const websiteId = await websiteOf({ userId: owner.id })
      const { headers } = await boardShare([{ id: websiteId }], { userId: owner.id })
      const end = () => runElsewhere('UPDATE websites SET user_id = ?2 WHERE id = ?1', websiteId, person.id)
      return { websiteId, headers, end, status: 403 }
    },
  ],
  [
    'an admin becomes a user',
    async () => {
      const person = await newPerson({ role: 'admin' })
      const end = () => runElsewhere(`UPDATE users SET role = 'user' WHERE id = ?1`, person.id)
      return { websiteId: await websiteOf(), headers: person.headers, end, status: 403 }
    },
  ],
  [
    'a user must have a second factor',
    async () => {
      const person = await newPerson()
      const end = () => runElsewhere('UPDATE users SET two_factor_required = 1 WHERE id = ?1', person.id)
      return { websiteId: await websiteOf({ userId: person.id }), headers: person.headers, end, status: 403 }
    },
  ],
  [
    'a website is deleted',
    async () => {
      const websiteId = await websiteOf()
      const end = () => runElsewhere('UPDATE websites SET deleted_at = 1 WHERE id = ?1', websiteId)
      return { websiteId, headers: await keyOf(undefined), end, status: 403 }
    },
  ],
]
