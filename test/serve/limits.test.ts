import { randomUUID } from 'node:crypto'
import { type Request, Response } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { networkOf } from '../../src/access/limits.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { config } from '../../src/local/start/wrangler-toml.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { withinAMinute } from '../support/minute.ts'
import { describedIn } from '../support/openapi.ts'
import { bearer, insert, keyOf, newPerson, newTeam, password, signer, websiteOf } from '../support/people.ts'
import { failed } from '../support/refusals.ts'
import { rowlessServer } from '../support/rowless.ts'
import { day } from '../support/website.ts'
import { pathOf, type Reply, running } from '../support/weir.ts'

type Headers = Readonly<Record<string, string>>

const quotas = {
  LIMIT_KEY: { limit: 3, period: 60 },
  LIMIT_SHARE: { limit: 4, period: 60 },
  LIMIT_ADDRESS: { limit: 5, period: 60 },
  LIMIT_MCP: { limit: 2, period: 60 },
  LIMIT_SIGN_IN: { limit: 2, period: 60 },
  LIMIT_USERNAME: { limit: 5, period: 60 },
  LIMIT_REFUSALS: { limit: 50, period: 60 },
  LIMIT_RECORD: { limit: 50, period: 60 },
  LIMIT_COLLECT_REFUSALS: { limit: 50, period: 60 },
}

const options = bundled(running.dataDir, 0, rowlessServer, quotas)

/** A Worker with these limits, and one that is misconfigured. */
let strict: Beside
let odd: Beside
const oddOptions = {
  ...options,
  // Addresses have a limiter but no variable. Shares have a variable but no limiter. The limiter for keys does not
  // work.
  ratelimits: {
    LIMIT_ADDRESS: { namespace_id: '1', simple: { limit: 2, period: 10 } },
    LIMIT_SIGN_IN: { namespace_id: '2', simple: quotas.LIMIT_SIGN_IN },
  },
  bindings: {
    ...options.bindings,
    LIMIT_KEY: 'no limiter',
    LIMIT_REFUSALS: 'no limiter',
    RATE_LIMITS: {
      LIMIT_KEY: quotas.LIMIT_KEY,
      LIMIT_SHARE: quotas.LIMIT_SHARE,
      LIMIT_SIGN_IN: quotas.LIMIT_SIGN_IN,
    },
  },
}

let url: string
let oddUrl: string

beforeAll(async () => {
  const ASSETS = (request: Request) => new Response(new URL(request.url).pathname)
  const withPages = { ...options, serviceBindings: { ASSETS } }
  ;[strict, odd] = await Promise.all([startBeside(withPages), startBeside(oddOptions)])
  url = strict.url
  oddUrl = odd.url
})
afterAll(async () => {
  await strict.close()
  await odd.close()
})

async function ask(path: string, headers: Headers = {}, init: RequestInit = {}, to = url): Promise<Reply> {
  const response = await fetch(to + path, { ...init, headers })
  const body = (await response.json()) as Reply['body']
  await describedIn(init.method ?? 'GET', path, response.status, body)
  return { status: response.status, headers: response.headers, body }
}

const report = (websiteId: string, query: Readonly<Record<string, string>> = {}): string =>
  pathOf(`/api/websites/${websiteId}/event-data/stats`, { ...day, ...query })

/** Sends as many requests as the limit allows, and expects `status`. Returns the refusal of one further request. */
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

/** Creates a share for the website. Returns its slug, and headers with its token. */
async function newShare(websiteId: string, opened: object = {}): Promise<{ slug: string; headers: Headers }> {
  const [id, slug] = [randomUUID(), randomUUID()]
  const parameters = JSON.stringify({ events: true, ...opened })
  const times = { created_at: Date.now(), updated_at: Date.now() }
  await insert('shares', { id, website_id: websiteId, name: 'of a test', slug, parameters, ...times })
  return { slug, headers: { 'x-weir-share-token': await (await signer()).make({ typ: 'share', jti: id, slug }) } }
}

const posted = (path: string, body: object, headers: Headers, to = url): Promise<Reply> =>
  ask(path, { ...headers, 'content-type': 'application/json' }, { method: 'POST', body: JSON.stringify(body) }, to)

/** New keys, one for each request, so that their own limits are never reached. */
async function keysOf(owner: Parameters<typeof keyOf>[0], count: number): Promise<Headers[]> {
  const keys: Headers[] = []
  while (keys.length < count) keys.push(await keyOf(owner))
  return keys
}

describe('a key', () => {
  it('may send as many requests as its limit allows, and then receives Retry-After', () =>
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

  it('also uses up its limit with price estimates', () =>
    withinAMinute(async () => {
      const path = report(await websiteOf(), { dryRun: '1' })
      const key = await keyOf(undefined)
      limited(await exhausted(3, 200, () => ask(path, key)), '"key";q=3;w=60')
    }))

  it('may call as many tools as its limit allows, after which the model gets an error', () =>
    withinAMinute(async () => {
      const [key, websiteId] = [await keyOf(undefined), await websiteOf()]
      const call = async (method: string, params?: object) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
        const headers = { ...key, 'content-type': 'application/json' }
        const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
        return { status: response.status, ...((await response.json()) as { result: Record<string, unknown> }) }
      }
      const active = () => call('tools/call', { name: 'get_realtime', arguments: { websiteId } })
      for (const _ of [1, 2]) expect((await active()).result.isError).toBe(undefined)
      const error = { code: 'rate_limited', status: 429, message: expect.stringContaining('Retry-After') }
      expect(await active()).toMatchObject({ status: 200, result: { isError: true, structuredContent: { error } } })
      expect((await call('ping')).result).toEqual({})
    }))

  it('has a separate limit, whatever address it is used from', () =>
    withinAMinute(async () => {
      const path = report(await websiteOf())
      const [key, other] = [await keyOf(undefined), await keyOf(undefined)]
      limited(await exhausted(3, 200, () => ask(path, { ...key, ...newAddress() })), '"key";q=3;w=60')
      expect((await ask(path, other)).status).toBe(200)
    }))

  it('uses up its limit with answers, but not with refusals', () =>
    withinAMinute(async () => {
      const websiteId = await websiteOf()
      const key = await keyOf(undefined)
      for (let count = 0; count < 4; count++) {
        expect((await ask(report(websiteId, { page: '0' }), key)).status).toBe(400)
        expect((await ask(report(randomUUID()), key)).status).toBe(403)
      }
      limited(await exhausted(3, 200, () => ask(report(websiteId), key)), '"key";q=3;w=60')
      expect((await ask(report(websiteId, { page: '0' }), key)).status).toBe(400)
      expect((await ask(report(randomUUID()), key)).status).toBe(403)
    }))

  it('always gets a 401 if it is wrong, whatever limits are used up', () =>
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
  it('has a single limit for all sign-ins, separate from keys and other users', () =>
    withinAMinute(async () => {
      const [person, other] = [await newPerson(), await newPerson()]
      const path = report(await websiteOf({ userId: person.id }))
      limited(await exhausted(3, 200, () => ask(path, person.headers)), '"key";q=3;w=60')
      expect((await ask(path, await keyOf(person))).status).toBe(200)
      expect((await ask(report(await websiteOf({ userId: other.id })), other.headers)).status).toBe(200)
    }))
})

describe('a user’s changes', () => {
  it('count together for all sign-ins and keys; reads with a key still count for the key alone', () =>
    withinAMinute(async () => {
      const person = await newPerson()
      const path = report(await websiteOf({ userId: person.id }))
      const keys = await keysOf(person, 4)
      const change = (headers: Headers) => posted('/api/boards', { name: 'x', type: 'mixed' }, headers)
      for (const key of [person.headers, keys[0]!, keys[1]!]) expect((await change(key)).status).toBe(200)
      limited(await change(keys[2]!), '"key";q=3;w=60')
      limited(await ask(path, person.headers), '"key";q=3;w=60')
      expect((await ask(path, keys[3]!)).status).toBe(200)
      // The operator's keys belong to no user.
      const [first, second] = await keysOf(undefined, 2)
      for (let count = 0; count < 3; count++) expect((await change(first!)).status).toBe(200)
      expect((await change(second!)).status).toBe(200)
    }))
})

describe('a share', () => {
  it('has one limit for everybody who uses it, by token or by slug', () =>
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
  it('has a single limit for all public websites and share links', () =>
    withinAMinute(async () => {
      const paths = [report(await publicWebsite()), report(await publicWebsite())]
      const address = newAddress()
      let count = 0
      const request = () => ask(paths[count++ % 2]!, address)
      expect((await request()).headers.get('ratelimit-policy')).toBe('"address";q=5;w=60')
      limited(await exhausted(4, 200, request), '"address";q=5;w=60')
      limited(await ask(`/api/share/${randomUUID()}`, address), '"address";q=5;w=60')
      expect((await ask(paths[0]!, newAddress())).status).toBe(200)
      // A credential has a separate limit.
      expect((await ask(paths[0]!, { ...address, ...(await keyOf(undefined)) })).status).toBe(200)
    }))

  it('has a limit for guessing slugs', () =>
    withinAMinute(async () => {
      const address = newAddress()
      limited(await exhausted(5, 404, () => ask(`/api/share/${randomUUID()}`, address)), '"address";q=5;w=60')
    }))

  it('has one limit for wrong slugs in links and credentials; beyond it, a correct slug does not help', () =>
    withinAMinute(async () => {
      const websiteId = await websiteOf()
      const [{ slug }, address] = [await newShare(websiteId), newAddress()]
      const guess = () => ask(report(websiteId, { share: randomUUID() }), address)
      for (let count = 0; count < 2; count++) {
        expect((await ask(`/api/share/${randomUUID()}`, address)).status).toBe(404)
      }
      const wrong = await guess()
      failed(wrong, { status: 401, code: 'unauthorized' })
      expect(wrong.headers.get('ratelimit-policy')).toBe('"address";q=5;w=60')
      limited(await exhausted(2, 401, guess), '"address";q=5;w=60')
      limited(await ask(report(websiteId, { share: slug }), address), '"address";q=5;w=60')
      limited(await ask('/api/me?share=x', address), '"address";q=5;w=60')
      limited(await ask(`/api/share/${slug}`, address), '"address";q=5;w=60')
      expect((await ask(report(websiteId, { share: slug }), newAddress())).status).toBe(200)
      // A different kind of credential does not guess a slug.
      expect((await ask(report(websiteId), { ...address, ...(await keyOf(undefined)) })).status).toBe(200)
    }))

  it('is also limited on share pages; beyond the limit, correct and wrong slugs get the same page', () =>
    withinAMinute(async () => {
      const { slug } = await newShare(await websiteOf())
      const address = newAddress()
      const open = async (one: string) => {
        const response = await fetch(`${url}/share/${one}`, { headers: address })
        return [response.status, await response.text()]
      }
      expect(await open(slug)).toEqual([200, '/share.html'])
      // Opening a share counts against the reader's address.
      for (let count = 0; count < 4; count++) expect(await open(randomUUID())).toEqual([404, '/missing.html'])
      expect(await open(randomUUID())).toEqual([200, '/share.html'])
      expect(await open(slug)).toEqual([200, '/share.html'])
      limited(await ask(`/api/share/${slug}`, address), '"address";q=5;w=60')
    }))

  it('is also limited for badges; beyond the limit, even a correct slug has no badge', () =>
    withinAMinute(async () => {
      const { slug } = await newShare(await websiteOf(), { overview: true })
      const address = newAddress()
      for (let count = 0; count < 3; count++)
        expect((await ask(`/api/share/${randomUUID()}`, address)).status).toBe(404)
      const open = async (one: string) => (await fetch(`${url}/badge/${one}.svg`, { headers: address })).status
      // A correct slug counts only against its share.
      expect(await open(slug)).toBe(200)
      for (let count = 0; count < 2; count++) expect(await open(randomUUID())).toBe(404)
      limited(await ask(`/badge/${randomUUID()}.svg`, address), '"address";q=5;w=60')
      limited(await ask(`/badge/${slug}.svg`, address), '"address";q=5;w=60')
      limited(await ask(`/api/share/${slug}`, address), '"address";q=5;w=60')
    }))

  it('does not use up its limit with slugs that open a share', () =>
    withinAMinute(async () => {
      const websiteId = await websiteOf()
      const address = newAddress()
      const shares = [await newShare(websiteId), await newShare(websiteId)]
      for (const { slug } of [...shares, ...shares, ...shares]) {
        const reply = await ask(report(websiteId, { share: slug }), address)
        expect([reply.status, reply.headers.get('ratelimit-policy')]).toEqual([200, '"share";q=4;w=60'])
      }
      const guess = () => ask(report(websiteId, { share: randomUUID() }), address)
      limited(await exhausted(5, 401, guess), '"address";q=5;w=60')
    }))

  it('uses up its limit by choosing slugs, just as by looking them up', () =>
    withinAMinute(async () => {
      const address = newAddress()
      const websiteId = await websiteOf()
      const other = await newShare(websiteId)
      const parameters = {}
      const keys = await keysOf(undefined, 20)
      const post = (path: string, body: object) => posted(path, body, { ...keys.pop(), ...address })
      const create = (slug: string) =>
        post('/api/share', { entityId: websiteId, shareType: 1, name: 'a', slug, parameters })
      const made = await create(randomUUID())
      expect([made.status, made.headers.get('ratelimit-policy')]).toEqual([200, '"key";q=3;w=60, "address";q=5;w=60'])
      expect((await create(other.slug)).status).toBe(400)
      const update = (slug: string) => post(`/api/share/id/${made.body.id}`, { name: 'b', slug, parameters })
      const { slug } = made.body
      for (let count = 0; count < 4; count++) expect((await update(slug)).status).toBe(200)
      expect((await update(other.slug)).status).toBe(400)
      const named = { name: 'a', domain: 'example.com' }
      expect((await post('/api/websites', { ...named, shareId: other.slug })).status).toBe(400)
      const website = (shareId: string) => post(`/api/websites/${websiteId}`, { shareId })
      expect((await website(other.slug)).status).toBe(400)
      const policy = '"key";q=3;w=60, "address";q=5;w=60'
      for (const one of [other.slug, randomUUID()]) {
        limited(await create(one), policy)
        limited(await update(one), policy)
        limited(await post('/api/websites', { ...named, shareId: one }), policy)
        limited(await website(one), policy)
      }
      expect((await update(slug)).status).toBe(200)
      expect((await website(slug)).status).toBe(200)
      expect((await post('/api/websites', named)).status).toBe(200)
    }))

  it('of IPv6 is its /64, however it is written, and of IPv4 is the same in IPv6 form', () => {
    const same = ['2001:db8:f1:f2::1', '2001:DB8:f1:f2:1:2:3:4', '2001:0db8:f1:f2:ffff::', '2001:db8:f1:f2:0:0:0:2']
    expect(new Set(same.map(networkOf))).toEqual(new Set([networkOf('2001:db8:f1:f2:a:b:c:d')]))
    const others = ['2001:db8:f1:f3::1', '2001:db8::f1:f2', '10.1.2.3', '::ffff:10.1.2.4']
    expect(new Set([same[0]!, ...others].map(networkOf)).size).toBe(5)
    expect(networkOf('::ffff:10.1.2.3')).toBe('10.1.2.3')
  })

  it('counts as a single address if it is unknown', () =>
    withinAMinute(async () => {
      const path = report(await publicWebsite())
      // Earlier requests in this minute also count.
      const statuses: number[] = []
      for (let count = 0; count < 6; count++) statuses.push((await ask(path)).status)
      expect(statuses.slice(5)).toEqual([429])
    }))
})

describe('signing in', () => {
  const signIn = (username: string, given: string, address: Headers = newAddress()): Promise<Reply> =>
    posted('/api/auth/login', { username, password: given }, address)
  const policy = '"sign-in";q=2;w=60, "username";q=5;w=60'

  it('is limited per address for all usernames; beyond that, the correct password does not help', () =>
    withinAMinute(async () => {
      const [person, address] = [await newPerson(), newAddress()]
      limited(await exhausted(2, 401, () => signIn(randomUUID(), 'wrong', address)), policy)
      limited(await signIn(person.username, password, address), policy)
      const elsewhere = await signIn(person.username, password)
      expect([elsewhere.status, elsewhere.headers.get('ratelimit-policy')]).toEqual([200, policy])
    }))

  it('remains possible while a stranger guesses, even from many addresses in an IPv6 /64', () =>
    withinAMinute(async () => {
      const [person, address] = [await newPerson(), newAddress()]
      const network = `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}`
      for (const stranger of [() => address, (count: number) => ({ 'cf-connecting-ip': `${network}::${count}` })]) {
        const statuses: number[] = []
        for (let count = 0; count < 6; count++) {
          statuses.push((await signIn(person.username, 'wrong', stranger(count))).status)
        }
        expect(statuses).toEqual([401, 401, 429, 429, 429, 429])
      }
      expect((await signIn(person.username, password)).status).toBe(200)
    }))

  it('has a higher limit per username, whatever the case and address, and whether or not it exists', () =>
    withinAMinute(async () => {
      const [person, other] = [await newPerson(), await newPerson()]
      for (const username of [person.username, randomUUID()]) {
        limited(await exhausted(5, 401, () => signIn(username, 'wrong')), policy)
        limited(await signIn(username.toUpperCase(), password), policy)
      }
      expect((await signIn(other.username, password)).status).toBe(200)
    }))

  it('does not count towards the username’s limit from an address over its limit', () =>
    withinAMinute(async () => {
      const [person, address] = [await newPerson(), newAddress()]
      await exhausted(2, 401, () => signIn(randomUUID(), 'wrong', address))
      for (let count = 0; count < 5; count++) limited(await signIn(person.username, 'wrong', address), policy)
      expect((await signIn(person.username, password)).status).toBe(200)
    }))

  it('is limited only by actual attempts', () =>
    withinAMinute(async () => {
      const [person, address] = [await newPerson(), newAddress()]
      for (let count = 0; count < 3; count++) expect((await signIn('', 'wrong', address)).status).toBe(400)
      expect((await signIn(person.username, password, address)).status).toBe(200)
    }))

  it('shares its limit with password changes, which also check the password', () =>
    withinAMinute(async () => {
      const person = await newPerson()
      const wrongPassword = { currentPassword: 'wrong', newPassword: 'another long password' }
      const change = () => posted('/api/me/password', wrongPassword, { ...person.headers, ...newAddress() })
      for (let count = 0; count < 3; count++) {
        const wrong = await change()
        expect([wrong.status, wrong.headers.get('ratelimit-policy')]).toEqual([400, `"key";q=3;w=60, ${policy}`])
      }
      limited(await exhausted(2, 401, () => signIn(person.username, 'wrong')), policy)
    }))
})

describe('a team’s access code', () => {
  it('has a single limit for joining with it and choosing it, per user and per address', () =>
    withinAMinute(async () => {
      const [person, other] = [await newPerson(), await newPerson()]
      const [own, taken, free] = [await newTeam(person), await newTeam(other), `team_${randomUUID()}`]
      const address = newAddress()
      const [keys, others] = [await keysOf(person, 13), await keysOf(other, 2)]
      // There, the limiter for keys lets all changes through.
      const post = (path: string, body: object, whose = keys, from = address) =>
        posted(path, body, { ...whose.pop(), ...from }, oddUrl)
      const update = (body: object) => post(`/api/teams/${own.id}`, body)
      for (let count = 0; count < 3; count++) {
        expect((await update({ name: 'Same', accessCode: own.accessCode })).status).toBe(200)
        expect((await update({ name: 'Other' })).status).toBe(200)
      }
      const policy = '"key";q=3;w=60, "sign-in";q=2;w=60'
      const refused = await update({ accessCode: taken.accessCode })
      expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([400, policy])
      expect((await post('/api/teams/join', { accessCode: free })).status).toBe(404)
      limited(await update({ accessCode: taken.accessCode }), policy)
      limited(await update({ accessCode: free }), policy)
      limited(await post('/api/teams/join', { accessCode: taken.accessCode }), policy)
      limited(await post('/api/teams/join', { accessCode: taken.accessCode }, keys, newAddress()), policy)
      limited(await post('/api/teams/join', { accessCode: own.accessCode }, others), policy)
      expect((await post('/api/teams/join', { accessCode: own.accessCode }, others, newAddress())).status).toBe(200)
      expect((await update({ name: 'Name', accessCode: own.accessCode })).status).toBe(200)
    }))
})

describe('an endpoint without a credential', () => {
  it('is never limited', async () => {
    // On a busy machine, a check may be too slow at first.
    await expect.poll(async () => (await ask('/ready', newAddress())).status).toBe(200)
    const address = newAddress()
    for (let count = 0; count < 2; count++) {
      for (const path of ['/health', '/ready']) {
        const reply = await ask(path, address)
        expect([reply.status, reply.headers.get('ratelimit-policy')]).toEqual([200, null])
      }
      expect((await ask('/nothing', address)).status).toBe(404)
    }
    // By now, the address has sent more requests than its limit.
    const document = await ask('/openapi.json', address)
    expect([document.status, document.headers.get('ratelimit-policy')]).toEqual([200, null])
  })
})

describe('the configuration', () => {
  it('repeats the limiters’ quotas as a variable in wrangler.toml', () => {
    const { ratelimits, vars } = config
    const told = Object.fromEntries(ratelimits.map(({ name, simple }) => [name, simple]))
    expect(Object.keys(told).sort()).toEqual(Object.keys(quotas).sort())
    expect(vars.RATE_LIMITS).toEqual(told)
    // Requests that share a limiter are counted together.
    const namespaces = ratelimits.map(({ namespace_id }) => namespace_id)
    expect(new Set(namespaces).size).toBe(namespaces.length)
  })

  it('allows 100,000 requests per minute, including sign-ins, for npm start', () => {
    const { ratelimits, bindings } = bundled(running.dataDir, 0, rowlessServer)
    const generous = { limit: 100_000, period: 60 }
    const names = Object.keys(quotas)
    const limiterOf = (name: string) => [name, { namespace_id: name, simple: generous }]
    expect(ratelimits).toEqual(Object.fromEntries(names.map(limiterOf)))
    expect(bindings.RATE_LIMITS).toEqual(Object.fromEntries(names.map((name) => [name, generous])))
  })

  it('sets no limits and sends no headers without a limiter', async () => {
    const websiteId = await websiteOf()
    const { headers } = await newShare(websiteId)
    for (let count = 0; count < 6; count++) {
      const reply = await ask(report(websiteId), headers, {}, oddUrl)
      expect([reply.status, reply.headers.get('ratelimit-policy')]).toEqual([200, null])
    }
  })

  it('lets requests through if a limiter fails', async () => {
    const path = report(await websiteOf())
    const key = await keyOf(undefined)
    for (let count = 0; count < 5; count++) expect((await ask(path, key, {}, oddUrl)).status).toBe(200)
    for (let count = 0; count < 3; count++) expect((await ask('/nothing', {}, {}, oddUrl)).status).toBe(404)
  })

  it('only omits the header without a limiter’s quota', async () => {
    const path = report(await publicWebsite())
    const address = newAddress()
    const replies: Reply[] = []
    // Two windows of ten seconds may start in the meantime.
    for (let count = 0; count < 7; count++) replies.push(await ask(path, address, {}, oddUrl))
    const refused = replies.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toBe('60')
    expect(replies.map(({ headers }) => headers.get('ratelimit-policy'))).toEqual(replies.map(() => null))
  })
})
