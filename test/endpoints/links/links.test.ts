import { randomUUID } from 'node:crypto'
import { UmamiClient } from '@umami/api-client'
import { describe, expect, it } from 'vitest'
import { event, id } from '../../oracle/fixtures.ts'
import { forbidden, type Headers, newShare, notFound, operator, post, remove } from '../../support/callers.ts'
import { member, newPerson, newTeam, websiteOf } from '../../support/people.ts'
import { failed, refused } from '../../support/refusals.ts'
import { events } from '../../support/reports.ts'
import { pathTo } from '../../support/requests.ts'
import { day } from '../../support/website.ts'
import { get, ingest, pathOf, running, send } from '../../support/weir.ts'

const client = new UmamiClient({ baseUrl: `${running.url}/api`, apiKey: running.adminKey })
const visit = (path: string, method = 'GET') => fetch(running.url + path, { method, redirect: 'manual' })

const owner = await newPerson()

const linkBody = (change: object = {}) => ({
  name: 'Sale',
  url: 'https://example.com/sale?a=1#b',
  slug: randomUUID(),
  ...change,
})

/** Creates a link for the owner or another user. */
async function newLink(change: object = {}, headers: Headers = owner.headers) {
  const { status, body } = await post('/api/links', linkBody(change), headers)
  expect({ status, body }).toMatchObject({ status: 200 })
  return body as { id: string; slug: string; name: string }
}

describe('a link', () => {
  it('adds the request’s parameters to its URL before the fragment, unless they are already there', async () => {
    const asked = 'utm_source=mail&utm_x=%20%C3%BC&a=9&gclid=G&fbclid=F&c=1&utm_source=2&=x&&utm%5Fid=7&d'
    const utm = 'utm_source=mail&utm_x=%20%C3%BC&gclid=G&fbclid=F&utm_source=2&utm%5Fid=7'
    const all = 'utm_source=mail&utm_x=%20%C3%BC&gclid=G&fbclid=F&c=1&utm_source=2&utm%5Fid=7&d'
    const cases: readonly (readonly [change: object, query: string, location: string])[] = [
      [{}, asked, `https://example.com/sale?a=1&${utm}#b`],
      [{ passQuery: 'utm' }, 'c=1', 'https://example.com/sale?a=1#b'],
      [{ passQuery: 'none' }, asked, 'https://example.com/sale?a=1#b'],
      [{ passQuery: 'all' }, asked, `https://example.com/sale?a=1&${all}#b`],
      [{ url: 'https://example.com' }, 'utm_source=mail', 'https://example.com?utm_source=mail'],
      [{ url: 'https://example.com/?' }, 'wbraid=1', 'https://example.com/?wbraid=1'],
      [{ url: 'https://example.com/?x&' }, 'utm_id=1', 'https://example.com/?x&utm_id=1'],
      [{ url: 'https://example.com/#/p?utm_id=2' }, 'utm_id=1', 'https://example.com/?utm_id=1#/p?utm_id=2'],
      [{ url: 'https://example.com/?utm_id=2' }, 'utm_id=1&utm_term=t', 'https://example.com/?utm_id=2&utm_term=t'],
      [{ passQuery: 'all', url: 'https://example.com/' }, `c=${'x'.repeat(4000)}`, 'https://example.com/'],
    ]
    for (const [change, query, location] of cases) {
      const { slug } = await newLink(change)
      expect((await visit(`/q/${slug}?${query}`)).headers.get('location')).toBe(location)
    }
    const { id: linkId, slug } = await newLink()
    const changed = await post(`/api/links/${linkId}`, { passQuery: 'none' }, owner.headers)
    expect(changed.body.passQuery).toBe('none')
    expect((await visit(`/q/${slug}?utm_id=1`)).headers.get('location')).toBe('https://example.com/sale?a=1#b')
    expect((await post(`/api/links/${linkId}`, { name: 'x' }, owner.headers)).body.passQuery).toBe('none')
  })

  it('redirects to its saved URL until it is deleted', async () => {
    const { id: linkId, slug } = await newLink()
    for (const method of ['GET', 'HEAD']) {
      const answer = await visit(`/q/${slug}?c=1`, method)
      expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([
        307,
        'https://example.com/sale?a=1#b',
        'no-store',
      ])
    }
    await post(`/api/links/${linkId}`, { url: 'HTTP://exämple.com/ü' }, owner.headers)
    expect((await visit(`/q/${slug}`)).headers.get('location')).toBe('http://xn--exmple-cua.com/%C3%BC')
    for (const path of [`/q/${slug.toUpperCase()}`, `/p/${slug}`, `/q/${randomUUID()}`, '/q/a.b', '/q/%00']) {
      failed(await send(path), notFound)
    }
    expect((await visit(`/q/${slug}`, 'POST')).status).toBe(405)
    await remove(`/api/links/${linkId}`, owner.headers)
    failed(await send(`/q/${slug}`), notFound)
  })

  it('keeps its slug reserved even after its deletion, though a pixel may have the same slug', async () => {
    const first = await newLink()
    const other = await newLink()
    await newLink({ slug: first.slug.toUpperCase() })
    expect((await post('/api/pixels', { name: 'p', slug: first.slug })).status).toBe(200)
    for (const isDeleted of [false, true]) {
      if (isDeleted) await remove(`/api/links/${first.id}`, owner.headers)
      for (const reply of [
        await post('/api/links', linkBody({ slug: first.slug }), owner.headers),
        await post(`/api/links/${other.id}`, { name: 'x', slug: first.slug }, owner.headers),
      ]) {
        refused(reply, 'slug')
        expect(reply.body.error.issues[0].message).toBe('That slug is already taken.')
      }
    }
    expect((await get(`/api/links/${other.id}`)).body).toMatchObject({ name: 'Sale', slug: other.slug })
  })

  it('is refused if a field is wrong; the error identifies the field, and nothing changes', async () => {
    const { id: linkId } = await newLink()
    const { body } = await get(`/api/links/${linkId}`)
    const urls = [
      ...['', 'example.com', '/sale', '//example.com', 'javascript:alert(1)', 'JavaScript://x/%0aalert(1)'],
      ...['data:text/html,x', 'ftp://example.com', 'https://', 'https://exa mple.com', 'https://a.b/\nSet-Cookie:x'],
      ...[' https://a.b', 'https://a.b/\ud800', `https://a.b/${'x'.repeat(489)}`, 'https:a.b', 7, null],
    ]
    const wrong: readonly (readonly [object, string])[] = [
      ...urls.map((url) => [{ url }, 'url'] as const),
      ...['', 'a b', 'ä', 'a.b', '../x', 'x'.repeat(101), 7].map((slug) => [{ slug }, 'slug'] as const),
    ]
    for (const [change, path] of wrong) {
      refused(await post('/api/links', linkBody(change)), path)
      refused(await post(`/api/links/${linkId}`, change), path)
    }
    refused(await post(`/api/links/${linkId}`, { id: randomUUID() }), 'id')
    expect((await get(`/api/links/${linkId}`)).body).toStrictEqual(body)
    expect((await post('/api/links', linkBody({ url: `https://a.b/${'x'.repeat(488)}` }))).status).toBe(200)
  })

  it('can be given an unused id, but only by an admin', async () => {
    const website = await websiteOf()
    failed(await post('/api/links', linkBody({ id: randomUUID() }), owner.headers), forbidden)
    refused(await post('/api/links', linkBody({ id: website })), 'id')
    const linkId = randomUUID()
    expect((await newLink({ id: linkId }, operator)).id).toBe(linkId)
    refused(await post('/api/websites', { id: linkId, name: 'w', domain: 'a.example' }), 'id')
  })

  it('is neither a pixel, nor a website for endpoints that change websites', async () => {
    const { id: linkId } = await newLink()
    const path = `/api/websites/${linkId}`
    for (const reply of [
      await get(path),
      await post(path, { name: 'x' }),
      await remove(path),
      await post(`${path}/reset`, undefined),
      await post(`${path}/transfer`, { userId: owner.id }),
      await get(`${path}/shares`),
    ]) {
      failed(reply, forbidden)
    }
    failed(await get(`/api/pixels/${linkId}`), notFound)
    expect((await get(`${path}/recorder`)).body).toStrictEqual({ enabled: false })
    expect((await get('/api/websites', { search: linkId })).body.data).toStrictEqual([])
    expect((await get(`/api/links/${linkId}`)).status).toBe(200)
  })
})

describe('lists of links and pixels', () => {
  it('no longer include those of a deleted user or team', async () => {
    const person = await newPerson()
    const team = await newTeam(person)
    const [own, ofTeam] = [await newLink({}, person.headers), await newLink({ teamId: team.id }, person.headers)]
    await remove(`/api/teams/${team.id}`, person.headers)
    failed(await get(`/api/links/${ofTeam.id}`), notFound)
    failed(await send(`/q/${ofTeam.slug}`), notFound)
    expect((await visit(`/q/${own.slug}`)).status).toBe(307)
    await remove(`/api/users/${person.id}`)
    failed(await get(`/api/links/${own.id}`), notFound)
    failed(await send(`/q/${own.slug}`), notFound)
  })

  it('change when a link is transferred to another team', async () => {
    const team = await newTeam(owner)
    const { id: linkId } = await newLink()
    const path = `/api/links/${linkId}`
    failed(await post(path, { teamId: (await newTeam(await newPerson())).id }, owner.headers), forbidden)
    refused(await post(path, { teamId: randomUUID() }), 'teamId')
    expect((await post(path, { teamId: team.id }, owner.headers)).body).toMatchObject({ userId: null, teamId: team.id })
    const inTeam = await member(team, 'team-member')
    failed(await post(path, { teamId: null }, inTeam.headers), forbidden)
    expect((await post(path, { teamId: team.id, name: 'x' }, inTeam.headers)).status).toBe(200)
    expect((await post(path, { teamId: null }, owner.headers)).body).toMatchObject({ userId: owner.id, teamId: null })
    failed(await send(path, inTeam), notFound)
  })
})

describe('a pixel', () => {
  it('can be created, read, listed, changed and deleted with the official client, and returns an image', async () => {
    const slug = randomUUID()
    const made = await client.createPixel({ name: 'Mail', slug })
    const pixelId = made.id
    expect(Object.keys(made).sort()).toEqual(
      ['id', 'name', 'slug', 'userId', 'teamId', 'createdAt', 'updatedAt', 'deletedAt'].sort(),
    )
    expect(await client.updatePixel({ pixelId, name: 'Letter' })).toMatchObject({ name: 'Letter', slug })
    const answer = await visit(`/p/${slug}?x=1`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'image/gif',
      'no-store',
    ])
    expect([bytes.length, bytes.subarray(0, 6).toString(), bytes.at(-1)]).toEqual([43, 'GIF89a', 0x3b])
    refused(await post('/api/pixels', { name: 'x', slug: randomUUID(), url: 'https://a.b' }), 'url')
    expect(await client.deletePixel({ pixelId })).toStrictEqual({ ok: true })
    failed(await send(`/p/${slug}`), notFound)
    refused(await post('/api/pixels', { name: 'Mail', slug }), 'slug')
  })
})

describe('a link’s or pixel’s id', () => {
  const range = { startAt: day.startAt, endAt: day.endAt }

  it('can replace a website’s id in every report, with the rights of the owner and of shares', async () => {
    const { id: linkId } = await newLink()
    const hit = { website_id: linkId, created_at: '2025-10-15 12:00:00.000', event_name: '' }
    await ingest([
      event({ ...hit, event_id: id(1), event_type: 3, url_path: '/q/x' }),
      event({ ...hit, event_id: id(2), session_id: id(101), visit_id: id(201), event_type: 3, url_path: '/q/y' }),
    ])
    const stats = `/api/websites/${linkId}/stats`
    expect((await send(pathOf(stats, range), owner)).body).toMatchObject({ pageviews: 2, visitors: 2, visits: 2 })
    failed(await send(pathOf(stats, range), await newPerson()), forbidden)
    expect((await send(pathTo(events, { websiteId: linkId }), owner)).body.count).toBe(2)
    expect((await post(`/api/websites/${linkId}/annotations`, { date: '2025-10-15', note: 'x' })).status).toBe(200)
    const made = await client.createLinkShare({ linkId, name: 's', parameters: { overview: true } })
    expect(made).toMatchObject({ entityId: linkId, shareType: 2 })
    expect((await client.getLinkShares({ linkId })).data).toStrictEqual([made])
    const { body } = await send(`/api/share/${made.slug}`)
    expect(body).toMatchObject({ shareType: 2, websiteId: linkId, linkId })
    const headers = { 'x-weir-share-token': body.token }
    expect((await send(pathOf(stats, range), { headers })).body).toMatchObject({ pageviews: 2 })
    failed(await send(pathOf(`/api/websites/${linkId}/events`, range), { headers }), forbidden)
    expect((await send('/api/me', { headers })).body.shareToken).toMatchObject({ shareType: 2, linkId })
    expect((await send(`/api/links/${linkId}`, { headers })).body).toMatchObject({ id: linkId, userId: null })
    failed(await post(`/api/links/${linkId}`, { name: 'theirs' }, headers), forbidden)
    await remove(`/api/links/${linkId}`)
    expect((await send(`/api/share/${made.slug}`)).status).toBe(404)
    failed(await send(pathOf(stats, range), owner), forbidden)
  })

  it('can be shared with the share type for its kind', async () => {
    const { body: pixel } = await post('/api/pixels', { name: 'p', slug: randomUUID() }, owner.headers)
    const shared = (shareType: unknown) =>
      post('/api/share', { entityId: pixel.id, shareType, name: 's', parameters: { overview: true } }, owner.headers)
    for (const type of [1, 2, 0, 5, '3', 1.5, null]) refused(await shared(type), 'shareType')
    const { body } = await shared(3)
    expect(body).toMatchObject({ shareType: 3, entityId: pixel.id })
    expect((await send(`/api/share/${body.slug}`)).body).toMatchObject({ websiteId: pixel.id, pixelId: pixel.id })
    const made = await client.createPixelShare({ pixelId: pixel.id, name: 't' })
    expect((await client.getPixelShares({ pixelId: pixel.id, search: 't' } as never)).data).toStrictEqual([made])
    expect((await newShare(await websiteOf(), {})).id).toBeTruthy()
  })

  it('has a chart in its kind’s list', async () => {
    const { id: linkId } = await newLink()
    const { body: pixel } = await post('/api/pixels', { name: 'p', slug: randomUUID() }, owner.headers)
    const websiteId = await websiteOf({ userId: owner.id })
    const ids = [linkId, pixel.id, websiteId, (await newLink({}, operator)).id].join(',')
    const charted = async (kind: string) =>
      Object.keys((await send(pathOf(`/api/${kind}/charts`, { ids, ...range }), owner)).body.data)
    expect(await charted('links')).toEqual([linkId])
    expect(await charted('pixels')).toEqual([pixel.id])
    expect(await charted('websites')).toEqual([websiteId])
    expect(await client.getLinksCharts({ ids: linkId, ...range })).toMatchObject({ data: { [linkId]: { total: 0 } } })
    expect(await client.getPixelsCharts({ ids: pixel.id, ...range })).toMatchObject({ data: { [pixel.id]: {} } })
  })
})
