import { describe, expect, it } from 'vitest'
import { sections } from '../../../src/access/opening.ts'
import { anId, moment, newShare, notFound, operator, post, remove, withoutId } from '../../support/callers.ts'
import { insert, keyOf, member, newPerson, newTeam, websiteOf } from '../../support/people.ts'
import { failed, refused } from '../../support/refusals.ts'
import { newId } from '../../support/website.ts'
import { send } from '../../support/weir.ts'

const owner = await newPerson()
const websiteId = await websiteOf({ userId: owner.id })

const shareBody = (changes: object = {}) => ({
  ...{ entityId: websiteId, shareType: 1, name: 'Everyone' },
  parameters: {},
  ...changes,
})
const pathOfShares = () => `/api/websites/${websiteId}/shares`

describe('a share', () => {
  it('can be created with every field', async () => {
    const parameters = {
      ...Object.fromEntries(sections.map((section, index) => [section, index % 2 === 0])),
      ...{ allowFilter: false, allowExport: true, theme: 'dark' },
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
    expect((await send(`/api/share/id/${made.body.id}`, owner)).body).toStrictEqual(made.body)
  })

  it('has a slug of 16 letters and digits by default', async () => {
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

  it('may keep an old slug that is too short for a new one, but cannot return to it', async () => {
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
    [
      'parameters of more than 20,000 characters',
      { parameters: { filters: { path: Array.from({ length: 6 }, () => 'x'.repeat(4000)) } } },
      'parameters',
    ],
    ['a slug of dots', { slug: '.'.repeat(8) }, 'slug'],
    ['a slug of one repeated letter', { slug: 'x'.repeat(100) }, 'slug'],
    ['a slug of three different letters', { slug: 'abcABC-_abc' }, 'slug'],
    ['a slug with a slash', { slug: 'a/b' }, 'slug'],
    ['a slug that is a quotation mark', { slug: "'" }, 'slug'],
    ['a slug that a URL cannot hold', { slug: '..' }, 'slug'],
    ['a parameter named like a property of Object', { parameters: { constructor: true } }, 'parameters.constructor'],
    ['a segment', { parameters: { filters: { segment: newId() } } }, 'parameters.filters.segment'],
    ['a cohort', { parameters: { filters: { cohort: newId() } } }, 'parameters.filters.cohort'],
    ['an unknown filter', { parameters: { filters: { screen: '1' } } }, 'parameters.filters.screen'],
    ['a filter with an empty list', { parameters: { filters: { browser: [] } } }, 'parameters.filters.browser'],
    ['a filter that is an object', { parameters: { filters: { browser: { eq: 'x' } } } }, 'parameters.filters.browser'],
    ['a filter that is null', { parameters: { filters: { browser: null } } }, 'parameters.filters.browser'],
    ['a long filter', { parameters: { filters: { browser: 'x'.repeat(4001) } } }, 'parameters.filters.browser'],
    ['a malformed filter', { parameters: { filters: { epf0: '9.eq.plan' } } }, 'parameters.filters.epf0'],
    ...['*', 'null', 'a.example', 'https://a.example/', 'https://A.example', 'https://a.example:443', 'ftp://a.example']
      .concat(['https://a.example/x', 'https://*.example', 'https://u@a.example', "https://a'.example", ''])
      .map((origin): [string, object, string] => [
        `the origin ${JSON.stringify(origin)}`,
        { parameters: { origins: ['https://a.example', origin] } },
        'parameters.origins.1',
      ]),
    ['an expiry in milliseconds', { parameters: { expiresAt: 1 } }, 'parameters.expiresAt'],
    ['an expiry without a time zone', { parameters: { expiresAt: '2030-01-01T00:00:00' } }, 'parameters.expiresAt'],
    ['an expiry on 30 February', { parameters: { expiresAt: '2030-02-30T00:00:00Z' } }, 'parameters.expiresAt'],
  ])('is not created with %s', async (_, changes, path) => {
    refused(await post('/api/share', shareBody(changes), owner.headers), path)
    const { name, parameters } = { ...shareBody(), ...changes } as Record<string, unknown>
    if (/^(name|parameters\b.)/.test(path))
      refused(await post(pathOfShares(), { name, parameters }, owner.headers), path)
  })

  it('appears not to exist to callers who may not change the website', async () => {
    const team = await newTeam(owner)
    const ofTeam = await websiteOf({ teamId: team.id })
    const share = await newShare(ofTeam, { events: true })
    const [viewer, outsider] = [await member(team, 'team-view-only'), await newPerson()]
    const body = { name: 'b', slug: newId(), parameters: {} }
    for (const headers of [viewer.headers, outsider.headers, await keyOf(owner, { websiteIds: [websiteId] })]) {
      const create = (entityId: string) => post('/api/share', shareBody({ entityId }), headers)
      expect(withoutId(await create(ofTeam))).toStrictEqual(withoutId(await create(newId())))
      for (const ask of [
        (id: string) => send(`/api/share/id/${id}`, { headers }),
        (id: string) => post(`/api/share/id/${id}`, body, headers),
        (id: string) => remove(`/api/share/id/${id}`, headers),
      ]) {
        const reply = await ask(share.id)
        failed(reply, notFound)
        expect(withoutId(reply)).toStrictEqual(withoutId(await ask(newId())))
      }
    }
    expect((await send(`/api/share/id/${share.id}`, { headers: operator })).body).toMatchObject({ slug: share.slug })
  })
})
