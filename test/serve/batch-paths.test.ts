import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { batch, batchInit, statuses } from '../support/batch.ts'
import { operator, post } from '../support/callers.ts'
import { runs } from '../support/long.ts'
import { failed, refused } from '../support/refusals.ts'
import { day } from '../support/website.ts'
import { pathOf, type Reply, running, send } from '../support/weir.ts'

const good = pathOf(`/api/websites/${randomUUID()}/events`, { ...day, browser: 'a/b?c&d#e\\f é' })

const read = (body: unknown): Promise<Reply> => post('/api/read', body)

/** Reads one wrong path among valid ones. */
const among = (path: unknown): Promise<Reply> => read({ paths: [good, good, good, path, good] })

describe('a batch is refused', () => {
  it.each<[string, unknown, string]>([
    ['without paths', {}, 'paths'],
    ['with no path', { paths: [] }, 'paths'],
    ['with 21 paths', { paths: Array(21).fill(good) }, 'paths'],
    ['with thousands of invalid paths', { paths: Array(20_000).fill(1) }, 'paths'],
    ['with one path instead of a list', { paths: good }, 'paths'],
    ['with an object of paths', { paths: { 0: good } }, 'paths'],
    ['with null', { paths: null }, 'paths'],
    ['with another field', { paths: [good], headers: {} }, 'headers'],
  ])('%s', async (_, body, place) => {
    refused(await read(body), place)
  })

  it.each([[null], [[]], ['/api/me']])('if it is not an object: %j', async (body) => {
    const reply = await read(body)
    refused(reply, '')
    expect(reply.body.error.message).toBe('Must be an object. Its fields: paths.')
  })

  it('without a JSON body, or if the body is too large', async () => {
    const bad = { status: 400, code: 'bad-request' }
    for (const body of ['', 'x', '{"paths":', '[]x']) {
      const headers = { ...operator, 'content-type': 'application/json' }
      const reply = await send('/api/read', { method: 'POST', headers, body })
      expect([reply.status, reply.body.error.code]).toEqual([400, 'bad-request'])
    }
    failed(await send('/api/read', { method: 'POST', headers: operator, body: `{"paths":["${good}"]}` }), bad)
    const large = Array(20).fill(`${good}&x=${'y'.repeat(6000)}`)
    failed(await read({ paths: large }), { status: 413, code: 'payload-too-large' })
  })

  it('with the index of each wrong path, whoever sends it', async () => {
    const wrong = await send('/api/read', batchInit([1, good, 'x', '/api/read'], {}))
    refused(wrong, 'paths.0', 'paths.2', 'paths.3')
  })
})

describe('a path is refused with its index', () => {
  const websiteId = randomUUID()
  const other = '127.0.0.1:1/api/me'
  it.each<unknown>([
    ...[1, null, true, {}, [good]],
    ...[
      ...['', ' ', '/', 'x', 'api/me', './api/me', '/api', '/api?x=1', '/apis/me', '/API/me', '/health'],
      ...['/openapi.json', '/nothing'],
    ],
    ...['http://', 'https://', '//', 'HTTP://', 'http:', '///', '/\\', '\\\\', 'ftp://', 'data:', '@'].map(
      (start) => start + other,
    ),
    `${running.url}/api/me`,
    ...['#', '#x', '?#', '?x=#y'].map((end) => `/api/me${end}`),
    ...['\\', '\\api', '?x=\\'].map((end) => `/api/me${end}`),
    ...['/api\\me', '\\api\\me'],
    ...[
      ' /api/me',
      '/api/me ',
      '/api/me\n',
      '/api/\tme',
      '/api/\r\nme',
      '/api/me\0',
      '/api/me?x=a b',
      '/api/me?x=\u007f',
    ],
    ...['/api/é', '/api/me?x=é', '/api/me?x=\ud800', '/api/me\u2028', '／api/me', '/api／me'],
    ...[
      ...['/api/../health', '/api/..', '/api/.', '/api/./me', '/api/me/..', '/api/me/../read', '/api/../api/me'],
      '/api/me/.',
    ],
    ...[
      ...['/api/%2e%2e/health', '/api/.%2E/health', '/api/%6de', '/api/me%3f', '/api/me%2f..', '/api/me%00'],
      '/api/..?x=/y',
    ],
    ...['/api/me;x', '/api/me:80', '/api/me@x', '/api/{x}', '/api/me"', '/api/<x>', '/api/me|x', '/api/me^'],
    `${good}&x=${'y'.repeat(16_000)}`,
  ])('if it is unknown: %j', async (path) => {
    const reply = await among(path)
    refused(reply, 'paths.3')
    expect(reply.body.error.message).toMatch(/^paths\.3: Must be a path of this API, .* starting with \/api\/,/)
  })

  const written = endpoints.filter(
    ({ path, method }) => method !== 'get' && !endpoints.some((one) => one.path === path && one.method === 'get'),
  )

  it.each(written.map(({ path }) => [path]))('if it does not answer GET: %s', async (path) => {
    for (const query of ['', '?', '?x=1', '?x=/api/me']) {
      const reply = await among(path!.replace(/:\w+/g, websiteId) + query)
      refused(reply, 'paths.3')
      expect(reply.body.error.message).toBe('paths.3: This path does not answer GET.')
    }
  })

  it('if it is the batch itself', async () => {
    expect(written.map(({ path }) => path)).toContain('/api/read')
    for (const path of ['/api/read', '/api/read?', '/api/read?x=1']) refused(await among(path), 'paths.3')
    expect(statuses(await batch(['/api/read/', '/api//read', '/api/READ', '/api/read/x']))).toEqual([
      404, 404, 404, 404,
    ])
  })

  it('if it contains a character that paths cannot have', async () => {
    const wrong = fc.constantFrom('#', '\\', ' ', '\n', '\t', '\0', '\r', '\u007f', 'é', '\ud800', '\u2028', '😀')
    const place = fc.integer({ min: 0, max: good.length })
    await fc.assert(
      fc.asyncProperty(wrong, place, fc.integer({ min: 0, max: 19 }), async (text, at, index) => {
        const paths = Array<string>(20).fill(good)
        paths[index] = good.slice(0, at) + text + good.slice(at)
        refused(await read({ paths }), `paths.${index}`)
      }),
      { numRuns: runs(6, 150) },
    )
  })

  it('unless it is answered; no answer is a 405 or comes from another host', async () => {
    const piece = fc.oneof(
      fc.constantFrom('/', 'api', '/api/', '..', '.', '%2e', '//', '?', '&', '=', 'me', 'read', 'websites', ':', '@'),
      fc.constantFrom('http:', '127.0.0.1', randomUUID(), 'share', '%', '%00', '[', ']', '*', '~', '#', '\\'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    )
    const text = fc.tuple(fc.constantFrom('', '/api/', '/api/me', '/api/websites/'), fc.array(piece, { maxLength: 6 }))
    await fc.assert(
      fc.asyncProperty(text, async ([start, pieces]) => {
        const path = start + pieces.join('')
        const { status, body } = await read({ paths: [path] })
        if (status === 400) expect(body.error.issues.map((issue: { path: string }) => issue.path)).toEqual(['paths.0'])
        else {
          expect([status, body.answers[0].path]).toEqual([200, path])
          expect([200, 400, 401, 403, 404]).toContain(body.answers[0].status)
          expect(new URL(path, running.url).href.startsWith(`${running.url}/api/`)).toBe(true)
        }
      }),
      { numRuns: runs(20, 600) },
    )
  })
})

describe('a path is accepted', () => {
  it('with any query string that is URL-encoded', async () => {
    const all = [...Array(95).keys()]
      .map((code) => String.fromCharCode(code + 32))
      .filter((one) => !/[\s#\\]/.test(one))
    const raw = `/api/me?x=${all.join('')}`
    const long = `/api/me?x=${'y'.repeat(15_990)}`
    expect(long).toHaveLength(16_000)
    expect(statuses(await batch([good, raw, '/api/me?', '/api/me?x=..', '/api/me?/../', long]))).toEqual([
      403, 400, 200, 400, 400, 400,
    ])
  })

  it('even if it is unknown; its answer is then a 404', async () => {
    const paths = [
      ...['/api/', '/api//', '/api/x', '/api/me/', '/api/websites/x/y/z', '/api/~', '/api/a..b', '/api/...'],
      '/api/-_.~',
    ]
    expect(statuses(await batch(paths))).toEqual(paths.map(() => 404))
  })
})
