import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { forbidden, operator, post, put, remove, unauthorized } from '../support/callers.ts'
import { goodRequestOfNobody } from '../support/good-requests.ts'
import { metadata } from '../support/metadata.ts'
import { member, newPerson, newTeam } from '../support/people.ts'
import { failed } from '../support/refusals.ts'
import { newWebsite, send } from '../support/weir.ts'

const newSite = async (headers: Readonly<Record<string, string>>, more: object = {}): Promise<string> => {
  const { body } = await post('/api/websites', { name: 'Site', domain: 'example.com', ...more }, headers)
  expect(body).not.toHaveProperty('error')
  return body.id
}

const run = (query: string, ...values: string[]) =>
  metadata
    .prepare(query)
    .bind(...values)
    .run()

describe('cached look-ups never authorise writes', () => {
  it('a user who was deleted elsewhere cannot create anything', async () => {
    const person = await newPerson()
    expect((await send('/api/me', { headers: person.headers })).status).toBe(200)
    await run('UPDATE users SET deleted_at = 1 WHERE id = ?1', person.id)
    // The Worker has just looked up the user, so reads may still use the cached look-up.
    failed(await post('/api/websites', { name: 'Late', domain: 'example.com' }, person.headers), unauthorized)
  })

  it('a member who was removed elsewhere cannot take over a website', async () => {
    const owner = await newPerson()
    const team = await newTeam(owner)
    const manager = await member(team, 'team-manager')
    const websiteId = await newSite(owner.headers, { teamId: team.id })
    const path = `/api/websites/${websiteId}`
    expect((await send(path, { headers: manager.headers })).status).toBe(200)
    await run('DELETE FROM team_members WHERE user_id = ?1', manager.id)
    failed(await post(`${path}/transfer`, { userId: manager.id }, manager.headers), forbidden)
    failed(await remove(path, manager.headers), forbidden)
    expect((await send(path, { headers: owner.headers })).body.teamId).toBe(team.id)
  })

  it('a former admin cannot create an admin', async () => {
    const admin = await newPerson({ role: 'admin' })
    expect((await send('/api/users', { headers: admin.headers })).status).toBe(200)
    await run("UPDATE users SET role = 'user' WHERE id = ?1", admin.id)
    const body = { username: `later ${randomUUID()}`, password: 'a good password', role: 'admin' }
    failed(await post('/api/users', body, admin.headers), forbidden)
  })
})

describe('concurrent requests', () => {
  it('a change preserves other changes made at the same time', async () => {
    for (let round = 0; round < 8; round++) {
      const websiteId = await newWebsite()
      const path = `/api/websites/${websiteId}`
      expect((await post(path, { public: { events: true }, replayConfig: { sampleRate: 0.5 } })).status).toBe(200)
      const replies = await Promise.all([
        post(path, { public: null }),
        post(path, { replayEnabled: true }),
        ...['a', 'b', 'c'].map((name) => post(path, { name })),
        post(path, { domain: 'other.example' }),
      ])
      for (const { status } of replies) expect([200, 503]).toContain(status)
      const { body } = await send(path, { headers: operator })
      if (replies[0]!.status === 200) expect(body.public).toBeNull()
      if (replies[1]!.status === 200) expect(body.replayConfig).toEqual({ sampleRate: 0.5, replayEnabled: true })
      if (replies.at(-1)!.status === 200) expect(body.domain).toBe('other.example')
    }
  })

  it('a deleted team leaves no website behind', async () => {
    for (let round = 0; round < 8; round++) {
      const owner = await newPerson()
      const team = await newTeam(owner)
      const [id, admin] = [randomUUID(), (await newPerson({ role: 'admin' })).headers]
      const [made] = await Promise.all([
        post('/api/websites', { id, name: 'In', domain: 'example.com', teamId: team.id, shareId: id }, admin),
        remove(`/api/teams/${team.id}`, owner.headers),
      ])
      expect([200, 400, 403]).toContain(made.status)
      failed(await send(`/api/websites/${id}`, { headers: operator }), forbidden)
      expect((await send(`/api/share/${id}`)).status).toBe(404)
    }
  })
})

describe('a body', () => {
  const withIds = endpoints.filter((one) => one.path.includes(':') && goodRequestOfNobody(one).body !== undefined)

  it.each(withIds.map((endpoint) => [endpoint.name, endpoint] as const))(
    'is refused if its ids are not strings: %s',
    async (_name, endpoint) => {
      const websiteId = await newWebsite()
      const name = /:(\w+)/.exec(endpoint.path)![1]!
      const path = endpoint.path.replace(/:(\w+)/g, (_, id) => (id === 'websiteId' ? websiteId : randomUUID()))
      for (const given of [{ toString: null }, ['a'], 7, null, true, { valueOf: 1 }]) {
        const { status, body } = await (endpoint.method === 'put' ? put : post)(path, {
          ...(goodRequestOfNobody(endpoint).body as object),
          [name]: given,
        })
        expect({ status, issue: body.error.issues?.[0]?.path ?? body.error.code }).toEqual({ status: 400, issue: name })
      }
    },
  )

  it('cannot hide a field from validation', async () => {
    const websiteId = await newWebsite()
    for (const name of ['__proto__', '\\u005f_proto__']) {
      const body = `{"name":"s","parameters":{"events":true,"filters":{"${name}":"x"}}}`
      const reply = await send(`/api/websites/${websiteId}/shares`, {
        method: 'POST',
        headers: { ...operator, 'content-type': 'application/json' },
        body,
      })
      expect({ status: reply.status, path: reply.body.error?.issues[0].path }).toEqual({
        status: 400,
        path: '__proto__',
      })
    }
  })

  it('may be {} even if none is expected, because some clients always send one', async () => {
    const person = await newPerson()
    const websiteId = await newSite(person.headers)
    expect((await post(`/api/websites/${websiteId}/reset`, {}, person.headers)).body).toEqual({ ok: true })
    expect((await post('/api/auth/verify', {}, person.headers)).status).toBe(200)
    failed(await post('/api/auth/logout', [], person.headers), { status: 400, code: 'bad-request' })
    expect((await post('/api/auth/logout', {}, person.headers)).body).toEqual({ ok: true })
    failed(await send('/api/me', { headers: person.headers }), unauthorized)
  })
})
