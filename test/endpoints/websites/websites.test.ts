import { describe, expect, it } from 'vitest'
import { event, string } from '../../oracle/fixtures.ts'
import {
  forbidden,
  type Headers,
  newShare,
  operator,
  post,
  remove,
  unauthorized,
  withoutId,
} from '../../support/callers.ts'
import { insert, join, keyOf, member, newPerson, newTeam, websiteOf } from '../../support/people.ts'
import { failed, refused } from '../../support/refusals.ts'
import { day, newId, websiteWith } from '../../support/website.ts'
import { ingest, pathOf, type Reply, running, send } from '../../support/weir.ts'

const right = { name: 'Weir', domain: 'example.com' }

const create = (body: object, headers: Headers): Promise<Reply> => post('/api/websites', { ...right, ...body }, headers)

const update = (websiteId: string, body: object, headers: Headers = operator): Promise<Reply> =>
  post(`/api/websites/${websiteId}`, body, headers)

const transfer = (websiteId: string, body: object, headers: Headers): Promise<Reply> =>
  post(`/api/websites/${websiteId}/transfer`, body, headers)

const read = (websiteId: string, headers: Headers = operator): Promise<Reply> =>
  send(`/api/websites/${websiteId}`, { headers })

const idsOf = async (path: string, headers: Headers, query: Record<string, string> = {}): Promise<string[]> => {
  const { status, body } = await send(pathOf(path, { pageSize: '1000', ...query }), { headers })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(({ id }: { id: string }) => id).sort()
}

const sharesOf = async (websiteId: string): Promise<{ name: string; slug: string; parameters: object }[]> =>
  (await send(`/api/websites/${websiteId}/shares`, { headers: operator })).body.data.map(
    ({ name, slug, parameters }: { name: string; slug: string; parameters: object }) => ({ name, slug, parameters }),
  )

const owner = await newPerson()
const team = await newTeam(owner)
const manager = await member(team, 'team-manager')
const plain = await member(team, 'team-member')
const viewer = await member(team, 'team-view-only')
const outsider = await newPerson()
const admin = await newPerson({ role: 'admin' })

/** Texts that would break the recorder's selector list, which is built from them. */
const brokenSelectors = [
  ...['.a[', '.a[b="c]', ":is('", ':not(', '.a)', '.a]', '([)]', 'a\\', '"a\n"', 'a,,b', 'a, ', ',a', '[,]('],
  ...['a{}', 'a} b', 'a; b', '@media', '<!--', 'a /* b', 'a\0'],
]

describe('a new website', () => {
  it('belongs to the credential’s user, or to the first admin if the operator creates it', async () => {
    for (const headers of [plain.headers, await keyOf(plain)]) {
      const { body } = await create({}, headers)
      expect(body).toMatchObject({ userId: plain.id, teamId: null, createdBy: plain.id })
      expect((await read(body.id, plain.headers)).body).toStrictEqual(body)
      failed(await read(body.id, outsider.headers), forbidden)
    }
    const ofOperator = (await create({}, operator)).body
    expect(ofOperator).toMatchObject({ userId: running.firstAdmin.id, teamId: null, createdBy: null })
  })

  it('belongs to the team in which it is created', async () => {
    for (const person of [owner, manager, plain]) {
      const { body } = await create({ teamId: team.id.toUpperCase() }, person.headers)
      expect(body).toMatchObject({ userId: null, teamId: team.id, createdBy: person.id })
      expect((await read(body.id, viewer.headers)).status).toBe(200)
    }
    expect((await create({ teamId: team.id }, admin.headers)).body).toMatchObject({ teamId: team.id })
    expect((await create({ teamId: team.id }, operator)).body).toMatchObject({ teamId: team.id, createdBy: null })
  })

  it('requires the right to create in its team; a refusal does not reveal whether the team exists', async () => {
    const before = await idsOf(`/api/teams/${team.id}/websites`, owner.headers)
    const viewOnly = await newPerson({ role: 'view-only' })
    await join(team, viewOnly, 'team-manager')
    for (const { headers } of [viewer, viewOnly, outsider]) {
      failed(await create({ teamId: team.id }, headers), forbidden)
    }
    const [there, nowhere] = [
      await create({ teamId: team.id }, outsider.headers),
      await create({ teamId: newId() }, outsider.headers),
    ]
    expect(nowhere.body.error.message).toBe(there.body.error.message)
    failed(nowhere, forbidden)
    for (const headers of [admin.headers, operator]) refused(await create({ teamId: newId() }, headers), 'teamId')
    expect(await idsOf(`/api/teams/${team.id}/websites`, owner.headers)).toStrictEqual(before)
  })

  it('has a share if shareId is given', async () => {
    const shareId = newId()
    const { body } = await create({ shareId, name: 'Shared' }, plain.headers)
    expect(body).toMatchObject({ shareId })
    expect(await sharesOf(body.id)).toStrictEqual([
      { name: 'Shared', slug: shareId, parameters: { overview: true, events: true } },
    ])
    expect((await send(`/api/share/${shareId}`)).body).toMatchObject({
      websiteId: body.id,
      sections: ['overview', 'events'],
    })
  })

  it('is not created if its slug is in use, and its share is not created if its id is in use', async () => {
    const [taken, free] = [newId(), newId()]
    const theirs = (await create({ shareId: taken }, outsider.headers)).body.id
    const id = newId()
    const reply = await create({ shareId: taken, id }, admin.headers)
    refused(reply, 'shareId')
    expect(reply.body.error.issues[0].message).toBe('That share ID is already taken.')
    failed(await read(id), forbidden)
    refused(await create({ id: theirs, shareId: free }, admin.headers), 'id')
    expect((await sharesOf(theirs)).map(({ slug }) => slug)).toStrictEqual([taken])
    expect((await send(`/api/share/${free}`)).status).toBe(404)
  })

  it('has an id that only admins may choose: trackers publish ids, and there may already be events', async () => {
    const chooser = await newPerson({ role: 'admin' })
    const people = [plain, manager, outsider].map(({ headers }) => headers)
    const events = event({ website_id: newId() }, [string('plan', 'secret')])
    const [id, deleted] = [await websiteWith(events), (await create({}, chooser.headers)).body.id]
    await remove(`/api/websites/${deleted}`, chooser.headers)
    for (const headers of [...people, await keyOf(plain)]) {
      const replies = []
      for (const taken of [newId(), id, deleted]) {
        const reply = await create({ id: taken }, headers)
        failed(reply, forbidden)
        replies.push(withoutId(reply))
      }
      expect(replies).toStrictEqual([replies[0], replies[0], replies[0]])
      expect((await create({ id: null }, headers)).status).toBe(200)
    }
    const choosers = [chooser.headers, await keyOf(chooser), operator].map((headers) => [newId(), headers] as const)
    await ingest(choosers.map(([chosen]) => ({ ...events, website_id: chosen })))
    for (const [chosen, headers] of choosers) {
      expect((await create({ id: chosen.toUpperCase() }, headers)).body).toMatchObject({ id: chosen, resetAt: null })
      const { body } = await send(pathOf(`/api/websites/${chosen}/events`, day), { headers })
      expect(body.count).toBe(1)
      refused(await create({ id: chosen }, headers), 'id')
      refused(await create({ id: deleted }, headers), 'id')
    }
  })
})

describe('a website change', () => {
  it('changes the given fields and nothing else', async () => {
    const { body: before } = await create({ name: 'Before', domain: 'before.example' }, plain.headers)
    const named = (await update(before.id, { name: "  Af'ter ? 日本 " }, plain.headers)).body
    expect(named).toStrictEqual({ ...before, name: "Af'ter ? 日本", updatedAt: named.updatedAt })
    const moved = (await update(before.id, { domain: 'after.example:8080' }, plain.headers)).body
    expect(moved).toStrictEqual({ ...named, domain: 'after.example:8080', updatedAt: moved.updatedAt })
    const same = (await update(before.id, {}, plain.headers)).body
    expect(same).toStrictEqual({ ...moved, updatedAt: same.updatedAt })
    expect((await read(before.id, plain.headers)).body).toStrictEqual(same)
    expect(await idsOf('/api/websites', plain.headers, { search: "AF'TER ? 日" })).toStrictEqual([before.id])
    expect(await idsOf('/api/websites', plain.headers, { search: 'before' })).toStrictEqual([])
  })

  it.each([' a.example', 'a.example \n', '\u00a0a.example', ' https://a.example/x '])(
    'removes blanks around the domain: %j',
    async (domain) => {
      const websiteId = await websiteOf()
      expect((await update(websiteId, { domain })).body.domain).toBe('a.example')
      expect((await create({ domain }, operator)).body.domain).toBe('a.example')
      refused(await update(websiteId, { domain: 'a .example' }), 'domain')
    },
  )

  it.each<[object, ...string[]]>([
    [{ domain: "'" }, 'domain'],
    [{ shareId: '' }, 'shareId'],
    [{ shareId: "a'b" }, 'shareId'],
    [{ shareId: '..' }, 'shareId'],
    [{ shareId: 'x'.repeat(7) }, 'shareId'],
    [{ shareId: '........' }, 'shareId'],
    [{ shareId: 'x'.repeat(51) }, 'shareId'],
    [{ id: newId() }, 'id'],
    ...['x'.repeat(1001), ...brokenSelectors].map((blockSelector): [object, string] => [
      { replayConfig: { blockSelector } },
      'replayConfig.blockSelector',
    ]),
    [{ replayConfig: { replayEnabled: true }, replayEnabled: false }, 'replayEnabled'],
    [{ replayConfig: null, replayEnabled: true }, 'replayEnabled'],
    [{ public: { origins: ['x'] } }, 'public.origins.0'],
    [{ public: { filters: { colour: 'red' } } }, 'public.filters.colour'],
  ])('is refused: %j', async (body, ...paths) => {
    const websiteId = await websiteOf()
    refused(await update(websiteId, body), ...paths)
  })

  it('stores the recorder settings, and returns whether recording is on', async () => {
    const websiteId = await websiteOf()
    const whole = {
      ...{ replayEnabled: true, heatmapEnabled: false, sampleRate: 0.25, heatmapSampleRate: 1, maskLevel: 'strict' },
      maxDuration: 3_600_000,
      blockSelector: ".a > [b=\"c'\"], :not(i, u):nth-child(2n + 1), \\31 d, [e='\\'],(']",
    }
    const settings = async (body: object) => {
      const { replayConfig, recorderEnabled } = (await update(websiteId, body)).body
      return { replayConfig, recorderEnabled }
    }
    expect(await settings({ replayConfig: whole })).toStrictEqual({ replayConfig: whole, recorderEnabled: true })
    expect(await settings({ replayEnabled: false })).toStrictEqual({
      replayConfig: { ...whole, replayEnabled: false },
      recorderEnabled: false,
    })
    expect(await settings({ name: 'x' })).toMatchObject({ replayConfig: { sampleRate: 0.25 } })
    const heatmap = { heatmapEnabled: true }
    expect(await settings({ replayConfig: heatmap })).toStrictEqual({ replayConfig: heatmap, recorderEnabled: true })
    expect(await settings({ replayConfig: null })).toStrictEqual({ replayConfig: null, recorderEnabled: false })
    expect(await settings({ replayEnabled: true })).toStrictEqual({
      replayConfig: { replayEnabled: true },
      recorderEnabled: true,
    })
    expect(await settings({ replayConfig: { replayEnabled: true }, replayEnabled: true })).toMatchObject({
      recorderEnabled: true,
    })
  })

  it('renames the newest share, creates the first one, or deletes all, if it contains shareId', async () => {
    const websiteId = await websiteOf()
    const [first, second, third] = [newId(), newId(), newId()]
    expect((await update(websiteId, { shareId: first })).body.shareId).toBe(first)
    expect(await sharesOf(websiteId)).toMatchObject([{ slug: first, parameters: { overview: true, events: true } }])
    await insert('shares', {
      id: newId(),
      ...{ website_id: websiteId, name: 'newest', search: 'newest', slug: second },
      parameters: '{}',
      created_at: Date.now() + 1000,
      updated_at: Date.now(),
    })
    expect((await update(websiteId, { shareId: second })).body.shareId).toBe(second)
    expect((await update(websiteId, { shareId: third })).body.shareId).toBe(third)
    expect((await sharesOf(websiteId)).map(({ slug }) => slug)).toStrictEqual([first, third])
    expect((await send(`/api/share/${second}`)).status).toBe(404)
    expect((await update(websiteId, { shareId: null })).body.shareId).toBe(null)
    expect(await sharesOf(websiteId)).toStrictEqual([])
  })

  it('keeps an older shareId, shorter than new ones may be', async () => {
    const [websiteId, slug] = [await websiteOf(), newId().slice(0, 7)]
    const row = { id: newId(), website_id: websiteId, name: 'old', search: 'old', slug, parameters: '{}' }
    await insert('shares', { ...row, created_at: Date.now(), updated_at: Date.now() })
    expect((await update(websiteId, { name: 'Other', shareId: slug })).body).toMatchObject({ shareId: slug })
    refused(await update(websiteId, { shareId: newId().slice(0, 7) }), 'shareId')
    refused(await create({ shareId: newId().slice(0, 7) }, operator), 'shareId')
  })

  it('fails as a whole if another share has the slug', async () => {
    const taken = newId()
    const theirs = await websiteOf()
    await update(theirs, { shareId: taken })
    for (const own of [null, newId()]) {
      const websiteId = await websiteOf()
      await update(websiteId, { shareId: own })
      const before = (await read(websiteId)).body
      const reply = await update(websiteId, { name: 'Other', shareId: taken })
      refused(reply, 'shareId')
      expect(reply.body.error.issues[0].message).toBe('That share ID is already taken.')
      expect((await read(websiteId)).body).toStrictEqual(before)
    }
    expect((await read(theirs)).body.shareId).toBe(taken)
  })

  it('can make parts of it public, and close them again', async () => {
    const websiteId = await websiteWith(event({ event_name: 'buy' }, [string('plan', 'pro')]))
    const stats = pathOf(`/api/websites/${websiteId}/events/stats`, day)
    failed(await send(stats), unauthorized)
    const opened = { events: true, allowFilter: false }
    expect((await update(websiteId, { public: opened })).body.public).toStrictEqual(opened)
    expect((await send(stats)).body.data).toMatchObject({ events: 1 })
    expect((await update(websiteId, { name: 'x' })).body.public).toStrictEqual(opened)
    expect((await update(websiteId, { public: null })).body.public).toBe(null)
    failed(await send(stats), unauthorized)
  })
})

describe('a website in an answer', () => {
  it('has no owner or settings if read through a share or as a public website', async () => {
    const websiteId = await websiteOf({ userId: plain.id })
    await update(websiteId, { shareId: newId(), public: { events: true }, replayConfig: { replayEnabled: true } })
    const { headers } = await newShare(websiteId, { events: true })
    const whole = (await read(websiteId, plain.headers)).body
    expect(whole).toMatchObject({ userId: plain.id, createdBy: plain.id, public: { events: true } })
    const nothing = { shareId: null, userId: null, teamId: null, createdBy: null, replayConfig: null, public: null }
    for (const through of [headers, {}, outsider.headers]) {
      const { opening, ...shown } = (await read(websiteId, through)).body
      expect(shown).toStrictEqual({ ...whole, ...nothing })
      expect(opening.sections).toStrictEqual(['events'])
    }
  })

  it('includes its share’s slug only for callers who may change it', async () => {
    const websiteId = await websiteOf({ teamId: team.id })
    const shareId = newId()
    await update(websiteId, { shareId })
    for (const headers of [owner.headers, plain.headers, admin.headers, operator, await keyOf(plain)]) {
      expect((await read(websiteId, headers)).body.shareId).toBe(shareId)
    }
    for (const headers of [viewer.headers, await keyOf(plain, { access: 'read' })]) {
      expect((await read(websiteId, headers)).body.shareId).toBe(null)
    }
    const list = (await send(`/api/teams/${team.id}/websites?pageSize=1000`, { headers: viewer.headers })).body
    expect(JSON.stringify(list)).toContain(websiteId)
    expect(JSON.stringify(list)).not.toContain(shareId)
  })
})

describe('a transfer', () => {
  it('can move your own website to a team in which you may create websites', async () => {
    for (const person of [owner, manager, plain]) {
      const websiteId = await websiteOf({ userId: person.id })
      const { body } = await transfer(websiteId, { teamId: team.id }, person.headers)
      expect(body).toMatchObject({ id: websiteId, userId: null, teamId: team.id, createdBy: person.id })
      expect((await read(websiteId, viewer.headers)).status).toBe(200)
    }
    const websiteId = await websiteOf({ userId: viewer.id })
    failed(await transfer(websiteId, { teamId: team.id }, viewer.headers), forbidden)
    failed(await transfer(websiteId, { teamId: newId() }, viewer.headers), forbidden)
    expect((await read(websiteId, viewer.headers)).body).toMatchObject({ userId: viewer.id, teamId: null })
  })

  it('can move a team’s website to the team’s owners and managers, at their own request', async () => {
    for (const person of [owner, manager]) {
      const websiteId = await websiteOf({ teamId: team.id })
      const { body } = await transfer(websiteId, { userId: person.id }, person.headers)
      expect(body).toMatchObject({ userId: person.id, teamId: null })
      failed(await read(websiteId, plain.headers), forbidden)
    }
    const websiteId = await websiteOf({ teamId: team.id })
    for (const person of [plain, viewer, outsider]) {
      failed(await transfer(websiteId, { userId: person.id }, person.headers), forbidden)
    }
    for (const userId of [outsider.id, newId()]) failed(await transfer(websiteId, { userId }, owner.headers), forbidden)
    failed(await transfer(websiteId, { userId: owner.id }, await keyOf(owner, { websiteIds: [websiteId] })), forbidden)
    expect((await read(websiteId, owner.headers)).body).toMatchObject({ userId: null, teamId: team.id })
  })

  it('can move a website to any existing user or team if an admin requests it', async () => {
    const websiteId = await websiteOf()
    for (const headers of [admin.headers, operator]) {
      expect((await transfer(websiteId, { userId: outsider.id }, headers)).body).toMatchObject({ userId: outsider.id })
      expect((await transfer(websiteId, { teamId: team.id }, headers)).body).toMatchObject({ teamId: team.id })
      refused(await transfer(websiteId, { userId: newId() }, headers), 'userId')
      refused(await transfer(websiteId, { teamId: newId() }, headers), 'teamId')
    }
    expect((await read(websiteId)).body).toMatchObject({ userId: null, teamId: team.id })
  })

  it('must specify either a user or a team', async () => {
    const websiteId = await websiteOf({ userId: owner.id })
    for (const body of [{}, { userId: owner.id, teamId: team.id }]) {
      refused(await transfer(websiteId, body, owner.headers), 'userId', 'teamId')
    }
    refused(await transfer(websiteId, { userId: null }, owner.headers), 'userId')
    refused(await transfer(websiteId, { teamId: "'" }, owner.headers), 'teamId')
    refused(await transfer(websiteId, { to: owner.id }, owner.headers), 'to')
  })
})

describe('the lists of websites', () => {
  it('contain your own websites and, with includeTeams, those of your teams', async () => {
    const person = await newPerson()
    const theirs = await newTeam(person)
    const other = await newTeam(outsider)
    const own = await websiteOf({ userId: person.id })
    const teams = await websiteOf({ teamId: theirs.id })
    await websiteOf({ teamId: other.id })
    await websiteOf()
    const both = [own, teams].sort()
    for (const path of ['/api/websites', '/api/me/websites', `/api/users/${person.id}/websites`]) {
      expect(await idsOf(path, person.headers)).toStrictEqual([own])
      expect(await idsOf(path, person.headers, { includeTeams: '' })).toStrictEqual([own])
      expect(await idsOf(path, person.headers, { includeTeams: 'true' })).toStrictEqual(both)
      expect(await idsOf(path, person.headers, { includeTeams: "'" })).toStrictEqual(both)
    }
    expect(await idsOf(`/api/users/${person.id}/websites`, admin.headers)).toStrictEqual([own])
    expect(await idsOf(`/api/teams/${theirs.id}/websites`, person.headers)).toStrictEqual([teams])
    for (const headers of [admin.headers, operator]) {
      expect(await idsOf('/api/admin/websites', headers, { search: own })).toStrictEqual([own])
      expect(await idsOf('/api/admin/websites', headers, { search: teams })).toStrictEqual([teams])
    }
    expect(await idsOf('/api/websites', admin.headers)).toStrictEqual([])
    expect(await idsOf('/api/websites', operator, { search: own })).toStrictEqual([own])
  })

  it('contain only the websites that the key opens', async () => {
    const person = await newPerson()
    const theirs = await newTeam(person)
    const [own, teams, foreign] = [
      await websiteOf({ userId: person.id }),
      await websiteOf({ teamId: theirs.id }),
      await websiteOf({ userId: outsider.id }),
    ]
    await websiteOf({ userId: person.id })
    const listed = await keyOf(person, { websiteIds: [own, teams, foreign] })
    for (const path of ['/api/websites', '/api/me/websites']) {
      expect(await idsOf(path, listed)).toStrictEqual([own, teams].sort())
    }
    expect(await idsOf('/api/websites', await keyOf(admin, { websiteIds: [foreign] }))).toStrictEqual([foreign])
    failed(await send(`/api/teams/${theirs.id}/websites`, { headers: listed }), forbidden)
    failed(await send(`/api/users/${person.id}/websites`, { headers: await keyOf(person) }), forbidden)
  })

  it('include each website’s owner and creator', async () => {
    const person = await newPerson()
    const theirs = await newTeam(person)
    const own = (await create({}, person.headers)).body
    const teams = (await create({ teamId: theirs.id }, person.headers)).body
    const user = { id: person.id, username: person.username }
    const { body } = await send('/api/websites', { headers: person.headers })
    expect(body.data).toStrictEqual([{ ...own, user, createUser: user }])
    const ofTeam = await send(`/api/teams/${theirs.id}/websites`, { headers: person.headers })
    const listed = { ...teams, teamName: theirs.name, createUser: user }
    expect(ofTeam.body).toStrictEqual({ data: [listed], count: 1, page: 1, pageSize: 20 })
  })
})

describe('a deleted website', () => {
  it('appears in no list, and its share stops working', async () => {
    const person = await newPerson()
    const shareId = newId()
    const { id } = (await create({ shareId }, person.headers)).body
    expect((await remove(`/api/websites/${id}`, person.headers)).body).toStrictEqual({ ok: true })
    expect(await idsOf('/api/websites', person.headers)).toStrictEqual([])
    expect(await idsOf('/api/admin/websites', operator, { search: id })).toStrictEqual([])
    expect((await send(`/api/share/${shareId}`)).status).toBe(404)
    failed(await update(id, { name: 'x' }, person.headers), forbidden)
    failed(await transfer(id, { userId: person.id }, person.headers), forbidden)
    failed(await post(`/api/websites/${id}/reset`, undefined, person.headers), forbidden)
  })
})
