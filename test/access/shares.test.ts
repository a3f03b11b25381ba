import { beforeAll, describe, expect, it } from 'vitest'
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
  unauthorized,
  withoutId,
} from '../support/callers.ts'
import { insert, newPerson, signer, websiteOf } from '../support/people.ts'
import { failed, refused } from '../support/refusals.ts'
import { events, reportOf } from '../support/reports.ts'
import { told } from '../support/requests.ts'
import { day, newId, websiteWith } from '../support/website.ts'
import { pathOf, type Reply, send } from '../support/weir.ts'

const owner = await newPerson()
const websiteId = await websiteOf({ userId: owner.id })

const shareBody = (changes: object = {}) => ({
  ...{ entityId: websiteId, shareType: 1, name: 'Everyone' },
  parameters: {},
  ...changes,
})

describe('a slug', () => {
  it('returns a token and the open sections, and nothing about the owner', async () => {
    const parameters = {
      ...{ events: true, overview: false, utm: true, allowFilter: false, allowExport: true, theme: 'light' },
      filters: { tag: 'the-secret' },
      expiresAt: '2999-01-01T00:00:00Z',
    }
    const share = await newShare(websiteId, parameters)
    const { status, body } = await send(`/api/share/${share.slug}`)
    expect([status, body]).toStrictEqual([
      200,
      {
        ...{ shareId: share.id, shareType: 1, websiteId },
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

  it('is refused with the same error whether it is unknown or expired, or its website was deleted', async () => {
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

  it('is validated', async () => {
    for (const slug of ["'", 'a b', 'x'.repeat(101), '%00', 'é'])
      refused(await send(`/api/share/${encodeURIComponent(slug)}`), 'slug')
    refused(await send('/api/share/nobody?page=0'), 'page')
    refused(await send('/api/share/nobody?limit=1'), 'limit')
  })
})

describe('access through a share', () => {
  let share: NewShare
  let other: NewShare
  let path: string

  beforeAll(async () => {
    share = await newShare(websiteId, { events: true })
    other = await newShare(websiteId, { events: true })
    path = pathOf(`/api/websites/${websiteId}/events/stats`, { startAt: 1e11, endAt: 1e11 + 1 })
  })

  it('is possible with its token or its slug', async () => {
    const { slug, token } = share
    const ways: [Headers, string?][] = [
      [{ 'x-weir-share-token': token }],
      [{ 'x-umami-share-token': token, 'x-umami-share-context': '1' }],
      [{ 'x-umami-share-token': token, 'x-umami-share-context': '1', 'x-weir-share-token': token }],
      [{}, slug],
      [{ 'x-umami-share-context': '1' }, slug],
      // A dashboard may send a signed-in user's token, but the header says that it shows a share.
      ...['Bearer null', 'Bearer undefined', 'Basic eDp5', '', operator.authorization!].map(
        (authorization): [Headers] => [{ 'x-umami-share-token': token, 'x-umami-share-context': '1', authorization }],
      ),
      [{ 'x-weir-share-token': token, 'x-umami-share-context': '1', ...owner.headers }],
      // A slug in the URL takes precedence over all other credentials, so that any cache may store the answer.
      ...[
        ...[{ 'x-weir-share-token': token }, { 'x-weir-share-token': other.token }, { 'x-weir-share-token': 'x' }],
        ...[owner.headers, operator, { authorization: 'Bearer api_nobodys' }, { 'x-umami-share-token': token }],
      ].map((headers): [Headers, string] => [headers, slug]),
      [{}, `${slug}&share=${slug}`],
    ]
    for (const [headers, asked] of ways) {
      const reply = await send(asked ? `${path}&share=${asked}` : path, { headers })
      expect([headers, reply.status]).toStrictEqual([headers, 200])
    }
  })

  it('is refused with the same error for any other credential', async () => {
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
      [{ 'x-weir-share-token': token, authorization: key, 'x-umami-share-context': '0' }],
      [{ 'x-umami-share-context': '1', authorization: 'Bearer null' }],
      [{ 'x-umami-share-token': `${token}x`, 'x-umami-share-context': '1', authorization: key }],
      [{ 'x-umami-share-token': token, 'x-umami-share-context': '1', 'x-umami-api-key': key.slice('Bearer '.length) }],
      [{ 'x-weir-share-token': token, 'x-umami-share-token': other.token, 'x-umami-share-context': '1' }],
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
    const nobody = await send(path, { headers: { authorization: 'Bearer api_nobodys' } })
    failed(nobody, unauthorized)
    failed(await send(path, { headers: { 'x-weir-share-token': token, authorization: 'Basic eDp5' } }), unauthorized)
    for (const [headers, asked] of ways) {
      const reply = await send(asked === undefined ? path : `${path}&share=${asked}`, { headers })
      expect([headers, asked, withoutId(reply)]).toStrictEqual([headers, asked, withoutId(nobody)])
      expect(reply.headers.get('www-authenticate')).toBe(nobody.headers.get('www-authenticate'))
    }
    failed(await send(`${path}&share=`), unauthorized)
  })

  it('ends when the share is deleted or expires, its slug changes, or its website is deleted', async () => {
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
      const asked = pathOf(`/api/websites/${own}/events/stats`, { startAt: 1e11, endAt: 1e11 + 1 })
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

  it('is possible with the new slug and a new token after its slug has changed', async () => {
    const renamed = await newShare(websiteId, { events: true })
    const slug = newId()
    await post(`/api/share/id/${renamed.id}`, { name: 'a', slug, parameters: { events: true } })
    const { token } = (await send(`/api/share/${slug}`)).body
    expect((await send(path, { headers: { 'x-weir-share-token': token } })).status).toBe(200)
    failed(await send(path, { headers: renamed.headers }), unauthorized)
    expect((await send(`${path}&share=${slug}`)).status).toBe(200)
  })
})

describe('a share', () => {
  let world: World
  const chromes = [0, 1, 3, 4]

  /** Rows on two days, so that there is something to compare. The report on a single event uses the second row. */
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

  it.each<[string, object, readonly number[]]>([
    ['a field', { browser: 'chrome' }, chromes],
    ['a field and its operator', { browser: 'dnc.fire', os: ['neq.mac', 'neq.win'] }, [0, 4]],
    ['any of several', { browser: 'firefox', os: 'mac', match: 'any' }, [1, 2, 5, 6]],
    ['a regular expression', { browser: 're.^C' }, chromes],
    ['a property', { epf0: '1.eq.tier.gold' }, [1, 2]],
    ['a property in short', { pf_tier: 'neq.silver' }, [1, 2]],
    ['an event type', { eventType: '2', browser: 'firefox' }, [2, 5]],
    ['an event type that does not exist', { eventType: 'neq.2' }, []],
    ['visits that are not bounces', { excludeBounce: true }, [0, 1, 2, 3, 4, 5, 6]],
    ['the distinct id', { distinctId: 'ann' }, [0, 4]],
    ['a value that does not exist', { browser: "'; drop table events --" }, []],
  ])('opens only events that match its filters: %s', async (_, filters, places) => {
    const { headers, slug } = await newShare(world.websiteId, { events: true, filters })
    const expected = computed(rowsAt(places), events, [])
    const replies = [
      await told(world.websiteId, events, headers),
      await told(world.websiteId, events, {}, { share: slug }),
    ]
    for (const { status, body } of replies) expect([status, body]).toStrictEqual([200, expected])
  })

  it('does not let excludeBounce reveal hidden events', async () => {
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
    // Through the share, a visit has only the page views that the share shows.
    expect(await counted({ excludeBounce: '1' })).toBe(2)
  })

  it('reveals no hidden events in the compared period', async () => {
    const { headers } = await newShare(world.websiteId, { events: true, filters: { browser: 'chrome' } })
    const { body } = await told(world.websiteId, reportOf({ endpoint: 'events/stats' }), headers, { compare: 'prev' })
    expect([body.data.events, body.data.comparison.events]).toStrictEqual([3, 1])
  })

  it.each<[name: string, value: string, named?: string]>([
    ['browser', 'chrome'],
    ['browser1', 'chrome'],
    ['filters[browser]', 'chrome'],
    ['filters', '{"browser":"chrome"}', 'filters.browser'],
    ['epf0', '1.eq.tier.gold'],
    ['eventType', '2'],
    ['match', 'any'],
    ['excludeBounce', 'true'],
    ['segment', newId()],
    ['cohort', newId()],
    ['distinctId', 'ann'],
  ])('refuses filters if its settings do not allow them: %s', async (name, value, named = name) => {
    const { headers } = await newShare(world.websiteId, { events: true, allowFilter: false })
    const reply = await told(world.websiteId, events, headers, { [name]: value })
    failed(reply, forbidden)
    expect(reply.body.error.message).toContain(named)
    expect((await told(world.websiteId, events, headers)).status).toBe(200)
  })

  it.each<[string, string]>([
    ['distinctId', 'ann'],
    ['distinctId', 'neq.ann'],
    ['distinctId1', 're.^a'],
    ['filters[distinctId]', 'c.a'],
    ['filters[distinctId2]', ''],
    ['filters', '{"distinctId":"ann"}'],
    ['filters', '{"browser":"chrome","distinctId3":["neq.ann"],"match":"any"}'],
  ])('refuses filters by distinct id: %s=%s', async (name, value) => {
    for (const parameters of [{ events: true }, { events: true, allowFilter: true, filters: { distinctId: 'ann' } }]) {
      const { headers } = await newShare(world.websiteId, parameters)
      const reply = await told(world.websiteId, events, headers, { [name]: value })
      failed(reply, forbidden)
      expect(reply.body.error.message).toContain('distinctId')
    }
  })

  it('reveals no distinct id, filter or slug in any answer or error', async () => {
    const secret = `secret-${newId()}`
    const parameters = { events: true, filters: { distinctId: ['ann', `neq.${secret}`], tag: `neq.${secret}` } }
    const { slug, headers } = await newShare(world.websiteId, parameters)
    const queries = [{}, { distinctId: 'x' }, { nothing: 'x' }, { path: 're.(' }, { cursor: 'x' }]
    const replies = await Promise.all([
      ...queries.flatMap((query) => [
        told(world.websiteId, events, headers, query),
        told(world.websiteId, events, {}, { ...query, share: slug }),
        told(websiteId, events, {}, { ...query, share: slug }),
      ]),
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

it('a slug is not found if its share’s website does not exist', async () => {
  const row = { id: newId(), website_id: id(0), name: 'a', slug: newId(), parameters: '{"events":true}' }
  await insert('shares', { ...row, created_at: 1, updated_at: 1 })
  failed(await send(`/api/share/${row.slug}`), notFound)
})
