import { randomUUID } from 'node:crypto'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { parseServer } from '../src/clickhouse/server.ts'
import { root } from '../src/local/paths.ts'
import { bundled } from '../src/local/workerd.ts'
import { withinAMinute } from './support/minute.ts'
import { describedIn } from './support/openapi.ts'
import { bearer, insert, keyOf, newPerson, password, signer, websiteOf } from './support/people.ts'
import { failed } from './support/refusals.ts'
import { day } from './support/website.ts'
import { pathOf, type Reply, running } from './support/weir.ts'

type Headers = Readonly<Record<string, string>>

const quotas = {
  LIMIT_KEY: { limit: 3, period: 60 },
  LIMIT_SHARE: { limit: 4, period: 60 },
  LIMIT_ADDRESS: { limit: 5, period: 60 },
  LIMIT_SIGN_IN: { limit: 2, period: 60 },
}

const server = parseServer({ CLICKHOUSE_URL: running.clickhouse })
const options = bundled(running.dataDir, 0, server, quotas)

/** A Worker with these limits, and one whose operator made mistakes. */
const strict = new Miniflare(options)
const odd = new Miniflare({
  ...options,
  // Addresses are limited though no variable says how; shares are not, though one does; of keys there is no limiter that works.
  ratelimits: { LIMIT_ADDRESS: { simple: { limit: 2, period: 10 } } },
  bindings: {
    ...options.bindings,
    LIMIT_KEY: 'no limiter',
    RATE_LIMITS: { LIMIT_KEY: quotas.LIMIT_KEY, LIMIT_SHARE: quotas.LIMIT_SHARE },
  },
})

let url: string
let oddUrl: string

beforeAll(async () => {
  url = (await strict.unsafeGetDirectURL('weir')).origin
  oddUrl = (await odd.unsafeGetDirectURL('weir')).origin
})
afterAll(async () => {
  await strict.dispose()
  await odd.dispose()
})

async function ask(path: string, headers: Headers = {}, init: RequestInit = {}, to = url): Promise<Reply> {
  const response = await fetch(to + path, { ...init, headers })
  const body = (await response.json()) as Reply['body']
  await describedIn(init.method ?? 'GET', path, response.status, body)
  return { status: response.status, headers: response.headers, body }
}

const report = (websiteId: string, query: Readonly<Record<string, string>> = {}): string =>
  pathOf(`/api/websites/${websiteId}/event-data/stats`, { ...day, ...query })

/** Asks as often as the limit allows, all of which is answered with `status`, and once more, which is not. */
async function exhausted(limit: number, status: number, request: () => Promise<Reply>): Promise<Reply> {
  for (let count = 0; count < limit; count++) expect((await request()).status).toBe(status)
  return request()
}

function limited(reply: Reply, policy: string): void {
  failed(reply, { status: 429, code: 'too-many-requests' })
  expect(reply.headers.get('retry-after')).toBe('60')
  expect(reply.headers.get('ratelimit-policy')).toBe(policy)
}

const newAddress = (): Headers => {
  const bytes = [...crypto.getRandomValues(new Uint8Array(3))]
  return { 'cf-connecting-ip': `10.${bytes.join('.')}` }
}

const publicWebsite = (): Promise<string> => websiteOf({}, { public: JSON.stringify({ events: true }) })

/** A new share of the website; its slug, and headers with its token. */
async function newShare(websiteId: string): Promise<{ slug: string; headers: Headers }> {
  const [id, slug] = [randomUUID(), randomUUID()]
  const parameters = JSON.stringify({ events: true })
  const times = { created_at: Date.now(), updated_at: Date.now() }
  await insert('shares', { id, website_id: websiteId, name: 'of a test', slug, parameters, ...times })
  return { slug, headers: { 'x-weir-share-token': await (await signer()).make({ typ: 'share', jti: id, slug }) } }
}

describe('a key', () => {
  it('is let through as often as its limit says, then told when to go on', () =>
    withinAMinute(async () => {
      const path = report(await websiteOf())
      const key = await keyOf(undefined)
      const first = await ask(path, key)
      expect(first.status).toBe(200)
      expect(first.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60')
      expect(first.headers.get('access-control-expose-headers')).toMatch(/RateLimit-Policy.*Retry-After/)
      limited(await exhausted(2, 200, () => ask(path, key)), '"key";q=3;w=60')
      limited(await ask('/api/websites', key), '"key";q=3;w=60')
    }))

  it('has a limit of its own, from wherever it is used', () =>
    withinAMinute(async () => {
      const path = report(await websiteOf())
      const [key, other] = [await keyOf(undefined), await keyOf(undefined)]
      limited(await exhausted(3, 200, () => ask(path, { ...key, ...newAddress() })), '"key";q=3;w=60')
      expect((await ask(path, other)).status).toBe(200)
    }))

  it('pays for what is answered, not for what is refused', () =>
    withinAMinute(async () => {
      const websiteId = await websiteOf()
      const key = await keyOf(undefined)
      for (let count = 0; count < 4; count++) {
        expect((await ask(report(websiteId, { page: '1' }), key)).status).toBe(400)
        expect((await ask(report(randomUUID()), key)).status).toBe(403)
      }
      limited(await exhausted(3, 200, () => ask(report(websiteId), key)), '"key";q=3;w=60')
      expect((await ask(report(websiteId, { page: '1' }), key)).status).toBe(400)
      expect((await ask(report(randomUUID()), key)).status).toBe(403)
    }))

  it('that is wrong is a 401, however often and whatever else is used up', () =>
    withinAMinute(async () => {
      const path = report(await publicWebsite())
      const address = newAddress()
      await exhausted(5, 200, () => ask(path, address))
      for (let count = 0; count < 8; count++) {
        const wrong = { ...address, ...bearer(`api_${'A'.repeat(43)}`) }
        failed(await ask(path, wrong), { status: 401, code: 'unauthorized' })
        failed(await ask(path, { ...address, ...bearer('x.y.z') }), { status: 401, code: 'unauthorized' })
        failed(await ask('/api/websites', address), { status: 401, code: 'unauthorized' })
      }
    }))
})

describe('a user', () => {
  it('has one limit for all sign-ins, and none with keys or other users in common', () =>
    withinAMinute(async () => {
      const [person, other] = [await newPerson(), await newPerson()]
      const path = report(await websiteOf({ userId: person.id }))
      limited(await exhausted(3, 200, () => ask(path, person.headers)), '"key";q=3;w=60')
      expect((await ask(path, await keyOf(person))).status).toBe(200)
      expect((await ask(report(await websiteOf({ userId: other.id })), other.headers)).status).toBe(200)
    }))
})

describe('a share', () => {
  it('has one limit for all who hold it, by its token or its slug', () =>
    withinAMinute(async () => {
      const websiteId = await websiteOf()
      const [share, other] = [await newShare(websiteId), await newShare(websiteId)]
      const path = report(websiteId)
      const bySlug = () => ask(report(websiteId, { share: share.slug }), newAddress())
      const byToken = () => ask(path, { ...share.headers, ...newAddress() })
      expect((await bySlug()).headers.get('ratelimit-policy')).toBe('"share";q=4;w=60')
      limited(await exhausted(3, 200, byToken), '"share";q=4;w=60')
      limited(await bySlug(), '"share";q=4;w=60')
      expect((await ask(path, other.headers)).status).toBe(200)
    }))
})

describe('an address', () => {
  it('has one limit for all public websites and the links of shares', () =>
    withinAMinute(async () => {
      const paths = [report(await publicWebsite()), report(await publicWebsite())]
      const address = newAddress()
      let count = 0
      const request = () => ask(paths[count++ % 2]!, address)
      expect((await request()).headers.get('ratelimit-policy')).toBe('"address";q=5;w=60')
      limited(await exhausted(4, 200, request), '"address";q=5;w=60')
      limited(await ask(`/api/share/${randomUUID()}`, address), '"address";q=5;w=60')
      expect((await ask(paths[0]!, newAddress())).status).toBe(200)
      // A credential has its own.
      expect((await ask(paths[0]!, { ...address, ...(await keyOf(undefined)) })).status).toBe(200)
    }))

  it('cannot try slugs without end', () =>
    withinAMinute(async () => {
      const address = newAddress()
      limited(await exhausted(5, 404, () => ask(`/api/share/${randomUUID()}`, address)), '"address";q=5;w=60')
    }))

  it('of IPv6 is all of its /64, however it is written', () =>
    withinAMinute(async () => {
      const path = report(await publicWebsite())
      const group = () => `f${randomUUID().slice(0, 3)}`
      const [one, two] = [group(), group()]
      const same = [
        `2001:db8:${one}:${two}::1`,
        `2001:DB8:${one}:${two}:1:2:3:4`,
        `2001:0db8:${one}:${two}:ffff::`,
        `2001:db8:${one}:${two}:0:0:0:2`,
        `2001:db8:${one}:${two}:a:b:c:d`,
      ]
      let count = 0
      const request = () => ask(path, { 'cf-connecting-ip': same[count++ % same.length]! })
      limited(await exhausted(5, 200, request), '"address";q=5;w=60')
      const next = `2001:db8:${one}:${two.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))}::1`
      expect((await ask(path, { 'cf-connecting-ip': next })).status).toBe(200)
      expect((await ask(path, { 'cf-connecting-ip': `2001:db8::${one}:${two}` })).status).toBe(200)
    }))

  it('that is not known is one as well', () =>
    withinAMinute(async () => {
      const path = report(await publicWebsite())
      // Whatever asked before in this minute counts too.
      const statuses: number[] = []
      for (let count = 0; count < 6; count++) statuses.push((await ask(path)).status)
      expect(statuses.slice(5)).toEqual([429])
    }))
})

describe('signing in', () => {
  const signIn = (username: string, given: string, address: Headers = newAddress()): Promise<Reply> =>
    ask(
      '/api/auth/login',
      { ...address, 'content-type': 'application/json' },
      { method: 'POST', body: JSON.stringify({ username, password: given }) },
    )
  const policy = '"sign-in";q=2;w=60'

  it('is limited for each address, whoever it tries to be, and the right password does not help', () =>
    withinAMinute(async () => {
      const [person, address] = [await newPerson(), newAddress()]
      limited(await exhausted(2, 401, () => signIn(randomUUID(), 'wrong', address)), policy)
      limited(await signIn(person.username, password, address), policy)
      const elsewhere = await signIn(person.username, password)
      expect([elsewhere.status, elsewhere.headers.get('ratelimit-policy')]).toEqual([200, policy])
    }))

  it('is limited for each username, in any case and from anywhere, whether or not there is such a user', () =>
    withinAMinute(async () => {
      const [person, other] = [await newPerson(), await newPerson()]
      for (const username of [person.username, randomUUID()]) {
        limited(await exhausted(2, 401, () => signIn(username, 'wrong')), policy)
        limited(await signIn(username.toUpperCase(), password), policy)
      }
      expect((await signIn(other.username, password)).status).toBe(200)
    }))

  it('of an address that may not try any more leaves the username alone', () =>
    withinAMinute(async () => {
      const [person, address] = [await newPerson(), newAddress()]
      await exhausted(2, 401, () => signIn(randomUUID(), 'wrong', address))
      for (let count = 0; count < 3; count++) limited(await signIn(person.username, 'wrong', address), policy)
      expect((await signIn(person.username, password)).status).toBe(200)
    }))

  it('does not count what is no attempt', () =>
    withinAMinute(async () => {
      const [person, address] = [await newPerson(), newAddress()]
      for (let count = 0; count < 3; count++) expect((await signIn('', 'wrong', address)).status).toBe(400)
      expect((await signIn(person.username, password, address)).status).toBe(200)
    }))

  it('counts together with changing the password, which asks for it as well', () =>
    withinAMinute(async () => {
      const person = await newPerson()
      const change = () =>
        ask(
          '/api/me/password',
          { ...person.headers, ...newAddress(), 'content-type': 'application/json' },
          { method: 'POST', body: JSON.stringify({ currentPassword: 'wrong', newPassword: 'another long password' }) },
        )
      limited(await exhausted(2, 400, change), '"key";q=3;w=60, "sign-in";q=2;w=60')
      limited(await signIn(person.username, password), policy)
    }))
})

describe('what needs no credential', () => {
  it('is never limited', async () => {
    const address = newAddress()
    for (let count = 0; count < 8; count++) {
      for (const path of ['/health', '/openapi.json']) {
        const reply = await ask(path, address)
        expect([reply.status, reply.headers.get('ratelimit-policy')]).toEqual([200, null])
      }
      expect((await ask('/nothing', address)).status).toBe(404)
    }
  })
})

describe('the configuration', () => {
  it('in wrangler.toml tells the Worker what its limiters let through', () => {
    const { ratelimits, vars } = unstable_readConfig({ config: `${root}/wrangler.toml` })
    const told = Object.fromEntries(
      ratelimits.map(({ name, simple }: { name: string; simple: object }) => [name, simple]),
    )
    expect(Object.keys(told).sort()).toEqual(Object.keys(quotas).sort())
    expect(vars.RATE_LIMITS).toEqual(told)
  })

  it('of npm start lets 100,000 requests a minute through, attempts to sign in too', () => {
    const { ratelimits, bindings } = bundled(running.dataDir, 0, server)
    const generous = { limit: 100_000, period: 60 }
    const names = Object.keys(quotas)
    expect(ratelimits).toEqual(Object.fromEntries(names.map((name) => [name, { simple: generous }])))
    expect(bindings.RATE_LIMITS).toEqual(Object.fromEntries(names.map((name) => [name, generous])))
  })

  it('without a limiter sets no limit, and says so', async () => {
    const websiteId = await websiteOf()
    const { headers } = await newShare(websiteId)
    for (let count = 0; count < 6; count++) {
      const reply = await ask(report(websiteId), headers, {}, oddUrl)
      expect([reply.status, reply.headers.get('ratelimit-policy')]).toEqual([200, null])
    }
  })

  it('with a limiter that fails lets requests through', async () => {
    const path = report(await websiteOf())
    const key = await keyOf(undefined)
    for (let count = 0; count < 5; count++) expect((await ask(path, key, {}, oddUrl)).status).toBe(200)
  })

  it('that does not tell the Worker what a limiter lets through costs the header only', async () => {
    const path = report(await publicWebsite())
    const address = newAddress()
    const replies: Reply[] = []
    // Two windows of ten seconds may come in between.
    for (let count = 0; count < 7; count++) replies.push(await ask(path, address, {}, oddUrl))
    const refused = replies.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toBe('60')
    expect(replies.map(({ headers }) => headers.get('ratelimit-policy'))).toEqual(replies.map(() => null))
  })
})
