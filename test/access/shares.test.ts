import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { UmamiClient } from '@umami/api-client'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { sections } from '../../src/access/opening.ts'
import { parseServer } from '../../src/clickhouse/server.ts'
import { places } from '../../src/local/paths.ts'
import { bundled, startBundled } from '../../src/local/start/workerd.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import { computed, visible, type World, worldOf } from '../support/agreement.ts'
import {
  forbidden,
  type Headers,
  type NewShare,
  newShare,
  notFound,
  operator,
  post,
  remove,
  told,
  unauthorized,
  withoutId,
} from '../support/callers.ts'
import { forEach } from '../support/concurrently.ts'
import { isLong } from '../support/long.ts'
import { insert, keyOf, member, newPerson, newTeam, type Person, signer, websiteOf } from '../support/people.ts'
import { failed, refused } from '../support/refusals.ts'
import { everyReport, pagedReports, rangeReports, withoutSectionsOf } from '../support/reports.ts'
import { day, newId, websiteWith } from '../support/website.ts'
import { pathOf, type Reply, running, send } from '../support/weir.ts'

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const anId = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

let owner: Person
let websiteId: string

beforeAll(async () => {
  owner = await newPerson()
  websiteId = await websiteOf({ userId: owner.id })
})

const shareBody = (changes: object = {}) => ({
  entityId: websiteId,
  shareType: 1,
  name: 'Everyone',
  parameters: {},
  ...changes,
})
const pathOfShares = () => `/api/websites/${websiteId}/shares`

describe('a share', () => {
  it('is created with every field, and read, listed, replaced and deleted', async () => {
    const parameters = {
      ...Object.fromEntries(sections.map((section, index) => [section, index % 2 === 0])),
      allowFilter: false,
      allowExport: true,
      theme: 'dark',
      filters: { browser: ['chrome', 'c.fire'], os1: 'neq.win', epf0: '2.gt.price.10', match: 'any', eventType: 2 },
      origins: ['https://www.example.com', 'http://localhost:3000'],
      expiresAt: '2999-12-31T23:59:59+01:00',
    }
    const slug = `s.${newId()}~_`
    const made = await post('/api/share', shareBody({ name: ' É “x” ', slug, parameters }), owner.headers)
    const kept = { ...parameters, expiresAt: '2999-12-31T22:59:59.000Z' }
    const object = { entityId: websiteId, name: 'É “x”', shareType: 1, slug, parameters: kept }
    expect([made.status, made.body]).toStrictEqual([
      200,
      { id: anId, ...object, createdAt: moment, updatedAt: made.body.createdAt },
    ])
    const path = `/api/share/id/${made.body.id}`
    expect((await send(path, { headers: owner.headers })).body).toStrictEqual(made.body)
    expect(
      (await send(path.toUpperCase().replace('/API/SHARE/ID', '/api/share/id'), { headers: operator })).body,
    ).toEqual(made.body)
    const { body: list } = await send(pathOfShares(), { headers: owner.headers })
    expect(list.data).toContainEqual(made.body)

    const changed = { name: 'b', slug: `${slug}2`, parameters: {} }
    const replaced = await post(path, changed, owner.headers)
    expect([replaced.status, replaced.body]).toStrictEqual([200, { ...made.body, ...changed, updatedAt: moment }])
    expect((await send(path, { headers: owner.headers })).body).toStrictEqual(replaced.body)

    const gone = await remove(path, owner.headers)
    expect([gone.status, gone.body]).toStrictEqual([200, { ok: true }])
    for (const reply of [await send(path, { headers: owner.headers }), await remove(path, owner.headers)])
      failed(reply, notFound)
    failed(await post(path, changed, owner.headers), notFound)
  })

  it('has by default a slug of 16 letters and digits', async () => {
    const slugs = new Set<string>()
    for (const [path, body] of [
      ['/api/share', shareBody()],
      [pathOfShares(), { name: 'a' }],
      [pathOfShares(), { name: 'a', parameters: { events: true } }],
    ] as const) {
      const { status, body: made } = await post(path, body, owner.headers)
      expect([status, made.parameters]).toStrictEqual([200, 'parameters' in body ? body.parameters : {}])
      expect(made.slug).toMatch(/^[A-Za-z0-9]{16}$/)
      slugs.add(made.slug)
    }
    expect(slugs.size).toBe(3)
  })

  it('has a unique, case-sensitive slug', async () => {
    const [one, two] = [await newShare(websiteId, {}), await newShare(websiteId, {})]
    refused(await post('/api/share', shareBody({ slug: one.slug }), owner.headers), 'slug')
    const path = `/api/share/id/${two.id}`
    refused(await post(path, { name: 'a', slug: one.slug, parameters: { events: true } }, owner.headers), 'slug')
    expect((await send(path, { headers: owner.headers })).body).toMatchObject({ slug: two.slug, parameters: {} })
    expect((await post(path, { name: 'a', slug: two.slug, parameters: {} }, owner.headers)).status).toBe(200)
  })

  it('keeps a slug that is shorter than those of today, until it has another one', async () => {
    const [share, slug] = [{ id: newId(), website_id: websiteId, name: 'old', search: 'old' }, newId().slice(0, 7)]
    await insert('shares', { ...share, slug, parameters: '{}', created_at: Date.now(), updated_at: Date.now() })
    const update = (slug: string) =>
      post(`/api/share/id/${share.id}`, { name: 'a', slug, parameters: {} }, owner.headers)
    expect((await send(`/api/share/${slug}`)).status).toBe(200)
    expect((await update(slug)).body).toMatchObject({ name: 'a', slug })
    refused(await update(newId().slice(0, 7)), 'slug')
    const eight = `${newId().slice(0, 4)}wxyz`
    expect((await update(eight)).body).toMatchObject({ slug: eight })
    refused(await update(slug), 'slug')
  })

  it.each<[string, object, string]>([
    ['another type', { shareType: 2 }, 'shareType'],
    ['a type that is a text', { shareType: '1' }, 'shareType'],
    ['no website', { entityId: undefined }, 'entityId'],
    ['an id that is none', { entityId: "' or 1 = 1 --" }, 'entityId'],
    ['no name', { name: undefined }, 'name'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['half a character', { name: '\ud800' }, 'name'],
    ['a number for a name', { name: 1 }, 'name'],
    ['an empty slug', { slug: '' }, 'slug'],
    ['a slug that could be guessed', { slug: 'x'.repeat(7) }, 'slug'],
    ['a slug of dots', { slug: '.'.repeat(8) }, 'slug'],
    ['a slug of one letter', { slug: 'x'.repeat(100) }, 'slug'],
    ['a slug of three letters', { slug: 'abcABC-_abc' }, 'slug'],
    ['a long slug', { slug: 'x'.repeat(101) }, 'slug'],
    ['a slug with a slash', { slug: 'a/b' }, 'slug'],
    ['a slug that is a quote', { slug: "'" }, 'slug'],
    ['a slug that a URL cannot hold', { slug: '..' }, 'slug'],
    ['no parameters', { parameters: undefined }, 'parameters'],
    ['a list of parameters', { parameters: [] }, 'parameters'],
    ['null for parameters', { parameters: null }, 'parameters'],
    ['an unknown field', { websiteId: newId() }, 'websiteId'],
    ['an unknown parameter', { parameters: { everything: true } }, 'parameters.everything'],
    ['a parameter of every object', { parameters: { constructor: true } }, 'parameters.constructor'],
    ['a section that is a text', { parameters: { events: 'true' } }, 'parameters.events'],
    ['a section that is null', { parameters: { events: null } }, 'parameters.events'],
    ['allowFilter as a number', { parameters: { allowFilter: 0 } }, 'parameters.allowFilter'],
    ['allowExport as a text', { parameters: { allowExport: 'true' } }, 'parameters.allowExport'],
    ['a theme', { parameters: { theme: 'blue' } }, 'parameters.theme'],
    ['filters as a text', { parameters: { filters: 'browser=chrome' } }, 'parameters.filters'],
    ['filters as a list', { parameters: { filters: [] } }, 'parameters.filters'],
    ['a segment', { parameters: { filters: { segment: newId() } } }, 'parameters.filters.segment'],
    ['a cohort', { parameters: { filters: { cohort: newId() } } }, 'parameters.filters.cohort'],
    ['an unknown filter', { parameters: { filters: { screen: '1' } } }, 'parameters.filters.screen'],
    ['a filter of nothing', { parameters: { filters: { browser: [] } } }, 'parameters.filters.browser'],
    ['a filter of an object', { parameters: { filters: { browser: { eq: 'x' } } } }, 'parameters.filters.browser'],
    ['a filter that is null', { parameters: { filters: { browser: null } } }, 'parameters.filters.browser'],
    ['a long filter', { parameters: { filters: { browser: 'x'.repeat(4001) } } }, 'parameters.filters.browser'],
    ['a malformed filter', { parameters: { filters: { epf0: '9.eq.plan' } } }, 'parameters.filters.epf0'],
    ['origins as a text', { parameters: { origins: 'https://a.example' } }, 'parameters.origins'],
    ['no origins', { parameters: { origins: [] } }, 'parameters.origins'],
    ['many origins', { parameters: { origins: Array(21).fill('https://a.example') } }, 'parameters.origins'],
    ...['*', 'null', 'a.example', 'https://a.example/', 'https://A.example', 'https://a.example:443', 'ftp://a.example']
      .concat(['https://a.example/x', 'https://*.example', 'https://u@a.example', "https://a'.example", ''])
      .map((origin): [string, object, string] => [
        `the origin ${JSON.stringify(origin)}`,
        { parameters: { origins: ['https://a.example', origin] } },
        'parameters.origins.1',
      ]),
    ['an expiry in milliseconds', { parameters: { expiresAt: 1 } }, 'parameters.expiresAt'],
    ['an expiry without a time zone', { parameters: { expiresAt: '2030-01-01T00:00:00' } }, 'parameters.expiresAt'],
    ['an expiry on no day', { parameters: { expiresAt: '2030-02-30T00:00:00Z' } }, 'parameters.expiresAt'],
  ])('is not made with %s', async (_, changes, path) => {
    refused(await post('/api/share', shareBody(changes), owner.headers), path)
    const { name, parameters } = { ...shareBody(), ...changes } as Record<string, unknown>
    if (/^(name|parameters\b.)/.test(path))
      refused(await post(pathOfShares(), { name, parameters }, owner.headers), path)
  })

  it('names the allowed parameters, and every wrong one', async () => {
    const parameters = { everything: true, all: true, theme: 1, events: true }
    const reply = await post('/api/share', shareBody({ parameters }), owner.headers)
    expect(reply.body.error.issues.map(({ path }: { path: string }) => path).sort()).toStrictEqual([
      'parameters.all',
      'parameters.everything',
      'parameters.theme',
    ])
    const issue = reply.body.error.issues.find(({ path }: { path: string }) => path === 'parameters.all')
    for (const name of [...sections, 'allowFilter', 'allowExport', 'theme', 'filters', 'origins', 'expiresAt'])
      expect(issue.message).toContain(name)
  })

  it('is replaced as a whole only', async () => {
    const share = await newShare(websiteId, { events: true })
    const whole = { name: 'a', slug: share.slug, parameters: {} }
    for (const name of ['name', 'slug', 'parameters']) {
      refused(await post(`/api/share/id/${share.id}`, { ...whole, [name]: undefined }, owner.headers), name)
    }
  })

  it('is managed only by those who may change the website', async () => {
    const team = await newTeam(owner)
    const ofTeam = await websiteOf({ teamId: team.id })
    const share = await newShare(ofTeam, { events: true })
    const path = `/api/share/id/${share.id}`
    const body = { entityId: ofTeam, shareType: 1, name: 'a', parameters: {} }
    const mayNot: [string, Headers, number][] = [
      ['an outsider', (await newPerson()).headers, 404],
      ['a member who only views', (await member(team, 'team-view-only')).headers, 404],
      ['a key for another website', await keyOf(owner, { websiteIds: [websiteId] }), 404],
      ['a key that reads', await keyOf(undefined, { access: 'read' }), 403],
      ['the share', share.headers, 403],
    ]
    for (const [who, headers, status] of mayNot) {
      const list = await send(`/api/websites/${ofTeam}/shares`, { headers })
      expect([who, list.status]).toStrictEqual([who, 403])
      failed(await post(`/api/websites/${ofTeam}/shares`, { name: 'a' }, headers), forbidden)
      const [theirs, unknown] = [
        await post('/api/share', body, headers),
        await post('/api/share', { ...body, entityId: newId() }, headers),
      ]
      failed(theirs, forbidden)
      expect(withoutId(theirs)).toStrictEqual(withoutId(unknown))
      for (const ask of [
        (at: string) => post(at, { name: 'b', slug: 'b', parameters: {} }, headers),
        (at: string) => remove(at, headers),
        ...(status === 404 ? [(at: string) => send(at, { headers })] : []),
      ]) {
        const reply = await ask(path)
        expect([who, reply.status]).toStrictEqual([who, status])
        expect(withoutId(reply)).toStrictEqual(withoutId(await ask(`/api/share/id/${newId()}`)))
      }
    }
    for (const role of ['team-member', 'team-manager'] as const) {
      const { headers } = await member(team, role)
      expect((await send(path, { headers })).status).toBe(200)
      expect((await post('/api/share', body, headers)).status).toBe(200)
    }
    expect((await send(path, { headers: operator })).body).toMatchObject({ name: 'of a test', slug: share.slug })
  })
})

describe('the list of shares', () => {
  let path: string
  const names = ({ body }: Reply) => body.data.map(({ name }: { name: string }) => name)

  beforeAll(async () => {
    const own = await websiteOf({ userId: owner.id })
    path = `/api/websites/${own}/shares`
    for (const name of ['banana', 'Apple', "ÉTÉ 100% '"]) await post(path, { name }, owner.headers)
  })
  const list = (query: Record<string, string | number> = {}) => send(pathOf(path, query), { headers: owner.headers })

  it('is paged, ordered and searched', async () => {
    const all = await list()
    expect(names(all)).toStrictEqual(['banana', 'Apple', "ÉTÉ 100% '"])
    expect(all.body).toStrictEqual({ data: all.body.data, count: 3, page: 1, pageSize: 20 })
    expect((await list({ page: 2, pageSize: 2 })).body).toStrictEqual({
      data: [all.body.data[2]],
      count: 3,
      page: 2,
      pageSize: 2,
    })
    expect((await list({ maxResults: 2 })).body).toMatchObject({ count: 2, isCapped: true })
    expect(names(await list({ orderBy: 'name' }))).toStrictEqual(['Apple', 'banana', "ÉTÉ 100% '"])
    expect(names(await list({ sortDescending: 'true' }))).toStrictEqual(["ÉTÉ 100% '", 'Apple', 'banana'])
    for (const search of ['été', '%', "'"]) expect(names(await list({ search }))).toStrictEqual(["ÉTÉ 100% '"])
    expect(names(await list({ search: '_' }))).toStrictEqual([])
  })

  it('refuses unknown and invalid parameters', async () => {
    for (const [name, value] of [
      ['page', '0'],
      ['pageSize', '1e9'],
      ['pageSize', '1001'],
      ['orderBy', 'slug'],
      ['browser', 'x'.repeat(4001)],
      ['screen', '1920x1080'],
    ] as const) {
      refused(await list({ [name]: value }), name)
    }
  })
})

describe('a slug', () => {
  it('gives a token and the open sections, and nothing of the owner', async () => {
    const parameters = {
      events: true,
      overview: false,
      utm: true,
      allowFilter: false,
      allowExport: true,
      theme: 'light',
      filters: { tag: 'the-secret' },
      expiresAt: '2999-01-01T00:00:00Z',
    }
    const share = await newShare(websiteId, parameters)
    const { status, body } = await send(`/api/share/${share.slug}`)
    expect([status, body]).toStrictEqual([
      200,
      {
        shareId: share.id,
        shareType: 1,
        websiteId,
        parameters: { events: true, overview: false, utm: true, allowFilter: false, allowExport: true, theme: 'light' },
        sections: ['events', 'utm'],
        expiresAt: '2999-01-01T00:00:00.000Z',
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      },
    ])
    const open = await newShare(websiteId, {})
    expect((await send(`/api/share/${open.slug}`, { headers: { authorization: 'Bearer wrong' } })).body).toMatchObject({
      parameters: {},
      sections: [],
      expiresAt: null,
    })
  })

  it('has the same refusal if it is unknown or expired, or if its website is gone', async () => {
    const expired = await post('/api/share', shareBody({ parameters: { expiresAt: '2000-01-01T00:00:00Z' } }))
    const gone = await websiteOf({ userId: owner.id })
    const orphan = await newShare(gone, { events: true })
    expect((await remove(`/api/websites/${gone}`)).status).toBe(200)
    const replies = await Promise.all(
      ['nobody', 'id', expired.body.slug, orphan.slug].map((slug) => send(`/api/share/${slug}`)),
    )
    for (const reply of replies) {
      failed(reply, notFound)
      expect(withoutId(reply)).toStrictEqual(withoutId(replies[0]!))
    }
  })

  it('is checked', async () => {
    for (const slug of ["'", 'a b', 'x'.repeat(101), '%00', 'é'])
      refused(await send(`/api/share/${encodeURIComponent(slug)}`), 'slug')
    refused(await send('/api/share/nobody?page=0'), 'page')
    refused(await send('/api/share/nobody?limit=1'), 'limit')
  })
})

describe('a share is held', () => {
  let share: NewShare
  let other: NewShare
  let path: string

  beforeAll(async () => {
    share = await newShare(websiteId, { events: true })
    other = await newShare(websiteId, { events: true })
    path = pathOf(`/api/websites/${websiteId}/events/stats`, { startAt: 1, endAt: 2 })
  })

  it('by its token or its slug', async () => {
    const { slug, token } = share
    const ways: [Headers, string?][] = [
      [{ 'x-weir-share-token': token }],
      [{ 'x-umami-share-token': token, 'x-umami-share-context': '1' }],
      [{ 'x-umami-share-token': token, 'x-umami-share-context': '1', 'x-weir-share-token': token }],
      [{}, slug],
      [{ 'x-umami-share-context': '1' }, slug],
      // A dashboard may have a signed-in user. It says that it shows a share.
      ...['Bearer null', 'Bearer undefined', 'Basic eDp5', '', operator.authorization!].map(
        (authorization): [Headers] => [{ 'x-umami-share-token': token, 'x-umami-share-context': '1', authorization }],
      ),
      [{ 'x-weir-share-token': token, 'x-umami-share-context': '1', ...owner.headers }],
      [{ 'x-weir-share-token': token }, slug],
      [{}, `${slug}&share=${slug}`],
    ]
    for (const [headers, asked] of ways) {
      const reply = await send(asked ? `${path}&share=${asked}` : path, { headers })
      expect([headers, reply.status]).toStrictEqual([headers, 200])
    }
  })

  it('by nothing else, with the same refusal for every other credential', async () => {
    const { slug, token } = share
    const tokens = await signer()
    const [head, claims, signature] = token.split('.') as [string, string, string]
    const unsigned = btoa('{"alg":"none","typ":"JWT"}').replaceAll('=', '')
    const key = operator.authorization!
    const ways: [Headers, string?][] = [
      [{ 'x-umami-share-token': token }],
      [{ 'x-umami-share-token': token, 'x-umami-share-context': '0' }],
      [{ 'x-umami-share-token': token, 'x-umami-share-context': 'true' }],
      [{ 'x-umami-share-token': token, 'x-weir-share-token': token }],
      [{ authorization: `Bearer ${token}` }],
      [{ 'x-weir-api-key': token }],
      [{ 'x-weir-share-token': slug }],
      [{ 'x-weir-share-token': '' }],
      [{ 'x-weir-share-token': token.slice(0, -1) }],
      [{ 'x-weir-share-token': `${head}.${claims}.` }],
      [{ 'x-weir-share-token': `${unsigned}.${claims}.` }],
      [{ 'x-weir-share-token': `${unsigned}.${claims}.${signature}` }],
      [
        {
          'x-weir-share-token': `${head}.${btoa(`{"typ":"share","jti":"${share.id}","slug":"${slug}"}`)}.${signature}`,
        },
      ],
      [{ 'x-weir-share-token': await tokens.make({ typ: 'share', jti: newId(), slug }) }],
      [{ 'x-weir-share-token': await tokens.make({ typ: 'share', jti: share.id, slug: other.slug }) }],
      [{ 'x-weir-share-token': await tokens.make({ typ: 'share', jti: share.id, slug }, Date.now() - 60_000) }],
      [{ 'x-weir-share-token': await tokens.make({ typ: 'sign-in', jti: share.id }) }],
      [{ 'x-weir-share-token': key.slice('Bearer '.length) }],
      [{ 'x-weir-share-token': token, authorization: key }],
      [{ 'x-weir-share-token': token, ...owner.headers }],
      [{ 'x-weir-share-token': token, authorization: 'Basic eDp5' }],
      [{ 'x-weir-share-token': token, authorization: key, 'x-umami-share-context': '0' }],
      [{ 'x-umami-share-context': '1', authorization: 'Bearer null' }],
      [{ 'x-umami-share-context': '1', authorization: 'Bearer null' }, slug],
      [{ 'x-umami-share-context': '1', authorization: key }, slug],
      [{ 'x-umami-share-token': `${token}x`, 'x-umami-share-context': '1', authorization: key }],
      [{ 'x-umami-share-token': token, 'x-umami-share-context': '1', 'x-umami-api-key': key.slice('Bearer '.length) }],
      [{ ...owner.headers }, slug],
      [{ authorization: key }, slug],
      [{ 'x-weir-share-token': token, 'x-umami-share-token': other.token, 'x-umami-share-context': '1' }],
      [{ 'x-weir-share-token': token }, other.slug],
      [{}, `${slug}&share=${other.slug}`],
      [{}, `${slug}&share=`],
      [{}, slug.slice(1)],
      [{}, slug.toLowerCase() === slug ? slug.toUpperCase() : slug.toLowerCase()],
      [{}, share.id],
      [{}, '%00'],
      [{}, '%ZZ'],
      [{}, "' or 1 = 1 --"],
      [{}, 'x'.repeat(3000)],
    ]
    const nobody = await send(path)
    failed(nobody, unauthorized)
    for (const [headers, asked] of ways) {
      const reply = await send(asked === undefined ? path : `${path}&share=${asked}`, { headers })
      expect([headers, asked, withoutId(reply)]).toStrictEqual([headers, asked, withoutId(nobody)])
      expect(reply.headers.get('www-authenticate')).toBe(nobody.headers.get('www-authenticate'))
    }
    failed(await send(`${path}&share=`), unauthorized)
  })

  it('until it is deleted, expires, has another slug or its website is gone', async () => {
    const ends: [string, (ended: NewShare, own: string) => Promise<Reply>][] = [
      ['deleted', ({ id }) => remove(`/api/share/id/${id}`)],
      ['renamed', ({ id }) => post(`/api/share/id/${id}`, { name: 'a', slug: newId(), parameters: { events: true } })],
      [
        'expired',
        ({ id, slug }) =>
          post(`/api/share/id/${id}`, {
            name: 'a',
            slug,
            parameters: { events: true, expiresAt: '2000-01-01T00:00:00Z' },
          }),
      ],
      ['its website', (_, own) => remove(`/api/websites/${own}`)],
    ]
    for (const [how, end] of ends) {
      const own = await websiteOf({ userId: owner.id })
      const ended = await newShare(own, { events: true })
      const asked = pathOf(`/api/websites/${own}/events/stats`, { startAt: 1, endAt: 2 })
      const statuses = async () => [
        how,
        (await send(asked, { headers: ended.headers })).status,
        (await send(`${asked}&share=${ended.slug}`)).status,
      ]
      expect(await statuses()).toStrictEqual([how, 200, 200])
      expect((await end(ended, own)).status).toBe(200)
      expect(await statuses()).toStrictEqual([how, 401, 401])
    }
  })

  it('with a new slug, by a token that is made with it', async () => {
    const renamed = await newShare(websiteId, { events: true })
    const slug = newId()
    await post(`/api/share/id/${renamed.id}`, { name: 'a', slug, parameters: { events: true } })
    const { token } = (await send(`/api/share/${slug}`)).body
    expect((await send(path, { headers: { 'x-weir-share-token': token } })).status).toBe(200)
    failed(await send(path, { headers: renamed.headers }), unauthorized)
    expect((await send(`${path}&share=${slug}`)).status).toBe(200)
  })
})

describe('a share opens', () => {
  let world: World
  const chromes = [0, 1, 3, 4]

  /** Rows of two days, for comparisons. The second row is the event of the report about one event. */
  beforeAll(async () => {
    const yesterday = '2025-10-14 12:00:00.000'
    world = await worldOf(
      ...visible(
        { browser: 'chrome', os: 'linux', distinct_id: 'ann' },
        { browser: 'chrome', os: 'mac', tag: 'x', has: [string('tier', 'gold')] },
        { browser: 'firefox', os: 'linux', has: [string('tier', 'gold')] },
        { browser: 'chrome', os: 'win', created_at: yesterday },
        { browser: 'chrome', os: 'linux', tag: 'x', distinct_id: 'ann' },
        { browser: 'firefox', os: 'win', created_at: yesterday },
        { browser: 'safari', os: 'mac' },
      ),
    )
  })

  const rowsAt = (places: readonly number[]) => places.map((place) => world.rows[place]!)

  it('its section on every report, as its owner sees it', async () => {
    const share = await newShare(world.websiteId, { events: true })
    for (const report of everyReport) {
      const mine = await told(world.websiteId, report, share.headers)
      expect([report.name, mine.status, mine.body]).toStrictEqual([report.name, 200, computed(world.rows, report, [])])
    }
  })

  it('no other section, and nothing if no section is open', async () => {
    for (const parameters of [{}, { allowFilter: true }]) {
      const share = await newShare(world.websiteId, parameters)
      for (const report of everyReport) failed(await told(world.websiteId, report, share.headers), forbidden)
    }
    for (const report of everyReport) {
      const share = await newShare(world.websiteId, withoutSectionsOf(report))
      failed(await told(world.websiteId, report, share.headers), forbidden)
    }
    const { headers } = await newShare(world.websiteId, Object.fromEntries(sections.map((name) => [name, true])))
    for (const path of ['/api/websites', `/api/websites/${world.websiteId}/shares`, '/api/me/api-keys'])
      failed(await send(path, { headers }), forbidden)
    failed(await remove(`/api/websites/${world.websiteId}`, headers), forbidden)
    failed(await post('/api/websites', { name: 'a', domain: 'example.com' }, headers), forbidden)
    failed(await post('/api/me/api-keys', { name: 'a' }, headers), forbidden)
  })

  it('no other website, with the same refusal as for an unknown one', async () => {
    const { headers } = await newShare(world.websiteId, { events: true })
    for (const report of everyReport) {
      const replies = [await told(websiteId, report, headers), await told(newId(), report, headers)] as const
      for (const reply of replies) failed(reply, forbidden)
      expect(withoutId(replies[0])).toStrictEqual(withoutId(replies[1]))
    }
  })

  it.each<[string, object, readonly number[]]>([
    ['a field', { browser: 'chrome' }, chromes],
    ['a field and its operator', { browser: 'dnc.fire', os: ['neq.mac', 'neq.win'] }, [0, 4]],
    ['any of several', { browser: 'firefox', os: 'mac', match: 'any' }, [1, 2, 5, 6]],
    ['a regular expression', { browser: 're.^C' }, chromes],
    ['a property', { epf0: '1.eq.tier.gold' }, [1, 2]],
    ['a property in short', { pf_tier: 'neq.silver' }, [1, 2]],
    ['a kind of event', { eventType: '2', browser: 'firefox' }, [2, 5]],
    ['no kind that there is', { eventType: 'neq.2' }, []],
    ['visits that are none', { excludeBounce: true }, []],
    ['the distinct id', { distinctId: 'ann' }, [0, 4]],
    ['nothing that there is', { browser: "'; drop table events --" }, []],
  ])('on every report only events that pass its filters: %s', async (_, filters, places) => {
    const { headers, slug } = await newShare(world.websiteId, { events: true, filters })
    // In `npm test` every second report, others for other filters.
    const turn = JSON.stringify(filters).length
    const some = [...everyReport.entries()].filter(([place]) => isLong || (place + turn) % 2 === 0)
    await forEach(some, async ([place, report]) => {
      const expected = computed(rowsAt(places), report, [])
      const byToken = () => told(world.websiteId, report, headers)
      const bySlug = () => told(world.websiteId, report, {}, [['share', slug]])
      // In `npm test` half of the reports by the one, half by the other.
      for (const ask of isLong ? [byToken, bySlug] : [place % 4 < 2 ? byToken : bySlug]) {
        const reply = await ask()
        expect([report.name, reply.status, reply.body]).toStrictEqual([report.name, 200, expected])
      }
    })
  })

  it('no hidden events through excludeBounce', async () => {
    const visit = (visit_id: string, ...paths: string[]) =>
      paths.map((url_path) => event({ event_id: newId(), event_type: 1, url_path, visit_id }))
    const site = await websiteWith(
      ...visit(newId(), '/blog', '/secret'),
      ...visit(newId(), '/blog', '/blog'),
      ...visit(newId(), '/blog'),
    )
    const { headers } = await newShare(site, { events: true, filters: { path: '/blog' } })
    const counted = async (query: object) => {
      const { body } = await send(pathOf(`/api/websites/${site}/events`, { ...day, ...query }), { headers })
      return body.count
    }
    expect(await counted({})).toBe(4)
    // Through the share a visit has the page views that the share shows.
    expect(await counted({ excludeBounce: '1' })).toBe(2)
  })

  it('no more under filters of the caller, whichever way they are joined', async () => {
    const { headers } = await newShare(world.websiteId, { events: true, filters: { browser: 'chrome' } })
    const asked: [[string, string][], number[]][] = [
      [[['browser', 'firefox']], []],
      [[['browser', 'chrome']], chromes],
      [[['browser', 'neq.chrome']], []],
      [
        [
          ['match', 'any'],
          ['browser', 'firefox'],
          ['os', 'linux'],
        ],
        [0, 4],
      ],
      [[['filters', '{"match":"any","browser":["firefox","safari"],"tag":"x"}']], [1, 4]],
      [[['match', 'any']], chromes],
      [[['epf0', '1.eq.tier.gold']], [1]],
    ]
    await forEach([...rangeReports.entries()], async ([turn, report]) => {
      // In `npm test` each report is asked every second question.
      for (const [query, places] of asked.filter((_, place) => isLong || (place + turn) % 2 === 0)) {
        const { status, body } = await told(world.websiteId, report, headers, query)
        expect([report.name, query, status, body]).toStrictEqual([
          report.name,
          query,
          200,
          computed(rowsAt(places), report, []),
        ])
      }
    })
  })

  it('no more in the compared period than in the other one', async () => {
    const { headers } = await newShare(world.websiteId, { events: true, filters: { browser: 'chrome' } })
    const [, stats] = rangeReports
    const { body } = await told(world.websiteId, stats!, headers, [['compare', 'prev']])
    expect([body.data.events, body.data.comparison.events]).toStrictEqual([3, 1])
  })

  it('pages and totals of the visible events, by number and by cursor, and puts its slug into no link', async () => {
    const { slug } = await newShare(world.websiteId, { events: true, filters: { browser: 'chrome' } })
    for (const report of pagedReports) {
      const whole = computed(rowsAt(chromes), report, []) as { data: unknown[]; count: number }
      expect(whole.count).toBe(3)
      const found: unknown[] = []
      let more: [string, string][] = [['pageSize', '1']]
      for (let page = 1; page <= 3; page++) {
        const { body, headers } = await told(world.websiteId, report, {}, [...more, ['share', slug]])
        expect([report.name, body.count]).toStrictEqual([report.name, 3])
        found.push(...body.data)
        const [, link] = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
        expect([report.name, page, link !== undefined]).toStrictEqual([report.name, page, page < 3])
        expect(link ?? '').not.toContain(slug)
        if (link)
          more = [
            ['pageSize', '1'],
            ['cursor', new URL(link).searchParams.get('cursor')!],
          ]
      }
      expect(found).toStrictEqual(whole.data)
    }
    const fields = rangeReports.find(({ name }) => name === 'event-data/fields')!
    const { headers } = await told(world.websiteId, fields, {}, [
      ['limit', '1'],
      ['share', slug],
    ])
    expect(headers.get('x-total-count')).toBe(String((computed(rowsAt(chromes), fields, []) as unknown[]).length))
  })

  it.each<[string, [string, string][], string]>([
    ['a field', [['browser', 'chrome']], 'browser'],
    ['a field again', [['browser1', 'chrome']], 'browser1'],
    ['a field in brackets', [['filters[browser]', 'chrome']], 'filters[browser]'],
    ['an object', [['filters', '{"browser":"chrome"}']], 'filters.browser'],
    ['a property', [['epf0', '1.eq.tier.gold']], 'epf0'],
    ['the kind of event', [['eventType', '2']], 'eventType'],
    ['match', [['match', 'any']], 'match'],
    ['excludeBounce', [['excludeBounce', 'true']], 'excludeBounce'],
    ['a segment', [['segment', newId()]], 'segment'],
    ['a cohort', [['cohort', newId()]], 'cohort'],
    ['the distinct id', [['distinctId', 'ann']], 'distinctId'],
  ])('no report to filters if it allows none: %s', async (_, query, named) => {
    const { headers } = await newShare(world.websiteId, { events: true, allowFilter: false })
    for (const report of rangeReports) {
      const reply = await told(world.websiteId, report, headers, query)
      failed(reply, forbidden)
      expect(reply.body.error.message).toContain(named)
    }
    const [events] = rangeReports
    expect((await told(world.websiteId, events!, headers)).status).toBe(200)
  })

  it.each<[string, string]>([
    ['distinctId', 'ann'],
    ['distinctId', 'neq.ann'],
    ['distinctId1', 're.^a'],
    ['filters[distinctId]', 'c.a'],
    ['filters[distinctId2]', ''],
    ['filters', '{"distinctId":"ann"}'],
    ['filters', '{"browser":"chrome","distinctId3":["neq.ann"],"match":"any"}'],
  ])('no filter by the distinct id: %s=%s', async (name, value) => {
    for (const parameters of [{ events: true }, { events: true, allowFilter: true, filters: { distinctId: 'ann' } }]) {
      const { headers } = await newShare(world.websiteId, parameters)
      for (const report of rangeReports) {
        const reply = await told(world.websiteId, report, headers, [[name, value]])
        failed(reply, forbidden)
        expect(reply.body.error.message).toContain('distinctId')
      }
    }
  })

  it('no distinct id, no filter of its own and no slug to anybody, refused or not', async () => {
    const secret = `secret-${newId()}`
    const parameters = { events: true, filters: { distinctId: ['ann', `neq.${secret}`], tag: `neq.${secret}` } }
    const { slug, headers } = await newShare(world.websiteId, parameters)
    const queries: [string, string][][] = [
      [],
      [['distinctId', 'x']],
      [['nothing', 'x']],
      [['path', 're.(']],
      [['cursor', 'x']],
    ]
    const replies = await Promise.all([
      ...everyReport.flatMap((report) =>
        queries.flatMap((query) => [
          told(world.websiteId, report, headers, query),
          told(world.websiteId, report, {}, [...query, ['share', slug]]),
          told(websiteId, report, {}, [...query, ['share', slug]]),
        ]),
      ),
      send(`/api/share/nobody?share=${slug}`),
      send(`/api/websites?share=${slug}`),
      send(`/api/websites/x/events?share=${slug}`),
      send(`/nothing?share=${slug}`),
    ])
    expect(new Set(replies.map(({ status }) => status))).toStrictEqual(new Set([200, 400, 403, 404]))
    for (const { body, headers } of replies) {
      const everything = JSON.stringify([body, [...headers]])
      for (const hidden of [slug, secret, '"ann"']) expect(everything).not.toContain(hidden)
    }
  })
})

it('is made, found, replaced, listed and deleted by the official client', async () => {
  const token = owner.headers.authorization!.slice('Bearer '.length)
  const client = new UmamiClient({ baseUrl: `${running.url}/api`, token })
  const own = await websiteOf({ userId: owner.id })
  const made = await client.createShare({
    entityId: own,
    shareType: 1,
    name: 'One',
    parameters: { events: true, allowFilter: false },
  })
  const two = await client.createWebsiteShare({ websiteId: own, name: 'Two', parameters: { overview: true } })
  expect(await client.getShare({ shareId: made.id })).toEqual(made)
  const listed = await client.getWebsiteShares({ websiteId: own, page: 1, pageSize: 10, maxResults: 100 })
  expect(listed).toMatchObject({ count: 2, page: 1, pageSize: 10 })
  expect(listed.data).toEqual(expect.arrayContaining([made, two]))
  const slug = newId()
  const replaced = await client.updateShare({ shareId: made.id, name: 'Three', slug, parameters: { events: true } })
  expect(replaced).toMatchObject({ id: made.id, name: 'Three', slug, parameters: { events: true } })

  const opened = await new UmamiClient({ baseUrl: `${running.url}/api` }).getShareBySlug({ slug })
  expect(opened).toMatchObject({ shareId: made.id, websiteId: own, shareType: 1, parameters: { events: true } })
  const guest = new UmamiClient({
    baseUrl: `${running.url}/api`,
    headers: { 'x-umami-share-token': String(opened.token), 'x-umami-share-context': '1' },
  })
  const ask = () => guest.getWebsiteEvents({ websiteId: own, startAt: 1, endAt: 2 })
  expect(await ask()).toMatchObject({ data: [], count: 0 })
  expect(await client.deleteShare({ shareId: made.id })).toEqual({ ok: true })
  await expect(ask()).rejects.toMatchObject({ status: 401 })
  await expect(client.getShareBySlug({ slug })).rejects.toMatchObject({ status: 404 })
})

it('writes no slug and no token into the log', async () => {
  const dataDir = mkdtempSync(`${tmpdir()}/weir-log-`)
  // The secret is too short to sign with: a request for a token fails and is logged.
  writeFileSync(places(dataDir).authSecret, 'short')
  cpSync(places(running.dataDir).bundle, places(dataDir).bundle, { recursive: true })
  const worker = await startBundled(bundled(dataDir, 0, parseServer({ CLICKHOUSE_URL: 'http://127.0.0.1:9' })))
  const lines: string[] = []
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...words) => void lines.push(words.join(' '))),
  )
  try {
    await migrateMetadata(worker.metadata)
    const [website, slug] = [newId(), newId()]
    await worker.metadata.batch([
      worker.metadata
        .prepare("INSERT INTO websites (id, name, domain, search, created_at, updated_at) VALUES (?, '', '', '', 1, 1)")
        .bind(website),
      worker.metadata
        .prepare(
          `INSERT INTO shares (id, website_id, name, slug, parameters, created_at, updated_at)
           VALUES (?, ?, '', ?, '{"events":true}', 1, 1)`,
        )
        .bind(newId(), website, slug),
    ])
    const asks = [
      `/api/share/${slug}`,
      pathOf(`/api/websites/${website}/events/stats`, { startAt: 1, endAt: 2, share: slug }),
    ]
    for (const path of asks) {
      const reply = await fetch(worker.url + path)
      expect([path, reply.status]).toStrictEqual([path, 503])
      await expect.poll(() => lines.join('\n')).toContain(reply.headers.get('x-request-id'))
      expect(await reply.text()).not.toContain(slug)
    }
    // The page of the share opens, and says that the numbers are missing.
    expect((await fetch(`${worker.url}/share/${slug}`)).status).toBe(200)
    expect(lines.join('\n')).toContain('"endpoint":"getShareBySlug"')
    expect(lines.join('\n')).not.toContain(slug)
  } finally {
    for (const spy of spies) spy.mockRestore()
    await worker.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

it('finds no share of an unknown website', async () => {
  const row = { id: newId(), website_id: id(0), name: 'a', slug: newId(), parameters: '{"events":true}' }
  await insert('shares', { ...row, created_at: 1, updated_at: 1 })
  failed(await send(`/api/share/${row.slug}`), notFound)
})
