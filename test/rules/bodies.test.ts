import { randomUUID } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/endpoints/endpoint.ts'
import { endpoints, families } from '../../src/endpoints/index.ts'
import { made } from '../../src/made.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { post, put } from '../support/callers.ts'
import { goodRequestOfNobody, keyOf } from '../support/good-requests.ts'
import { inTurn } from '../support/long.ts'
import { newPerson, type Person, password } from '../support/people.ts'
import { refused } from '../support/refusals.ts'
import { seed } from '../support/seed.ts'

/** Tests that refusals identify all invalid fields of a body, whether or not the document expresses their rules. */

type Body = Readonly<Record<string, unknown>>

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly maxLength?: number
  readonly maximum?: number
  readonly minimum?: number
  readonly maxItems?: number
}

const published = JSON.parse(JSON.stringify(openapi(families)))
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema({ ...published, $id: 'weir' })

/** Resolves a reference. If there are several forms, the first one is used, as in the valid requests. */
function formOf(schema: Schema): Schema {
  const { $ref, anyOf, oneOf } = schema
  if ($ref === undefined) return anyOf || oneOf ? formOf((anyOf ?? oneOf)![0]!) : schema
  return formOf(
    $ref
      .slice(2)
      .split('/')
      .reduce((part, name) => part[name], published),
  )
}

/** Every field in a schema, as the path of names that leads to it. */
const fieldsOf = (schema: Schema): (readonly [path: readonly string[], schema: Schema])[] =>
  Object.entries(formOf(schema).properties ?? {}).flatMap(([name, inner]) => [
    [[name], formOf(inner)] as const,
    ...fieldsOf(inner).map(([path, field]) => [[name, ...path], field] as const),
  ])

/** Values of many kinds, and values just outside a schema's bounds. */
const candidates = ({ maxLength, maximum, minimum, maxItems }: Schema): unknown[] => [
  ...[null, true, 'true', '', ' ', 'surprise', "'", 7, -1, 1.5, [], {}, [null], { surprise: 1 }],
  ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
  ...(maximum === undefined ? [] : [maximum + 1]),
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill('x')]),
]

const changed = (body: Body, [name, ...rest]: readonly string[], value: unknown): Body => ({
  ...body,
  [name!]: rest.length === 0 ? value : changed({ ...(body[name!] as Body | undefined) }, rest, value),
})

const goodBody = (endpoint: Endpoint): Body => goodRequestOfNobody(endpoint).body as Body

/** Sign-in accepts imported names, which may break the rules. The bodies of reports follow the rules for queries. */
const written = endpoints.filter(
  (endpoint) =>
    endpoint.kind === 'action' && endpoint.body !== undefined && !/^\/api\/(auth|reports\/heatmap)/.test(endpoint.path),
)
const named = written.map((endpoint) => [keyOf(endpoint), endpoint] as const)

const schemaOf = ({ method, path }: Endpoint): Schema =>
  published.paths[path.replace(/:(\w+)/g, '{$1}')][method].requestBody.content['application/json'].schema

/** The invalid fields in a body, as texts. */
const wrongIn = (endpoint: Endpoint, body: unknown): string[] =>
  (made(endpoint.body!).safeParse(body).error?.issues ?? []).map(({ path }) => path.join('.'))

/** Fields that a change may contain as they were read. They are compared with the stored object. */
const handedBack =
  /^(id|userId|teamId|teamName|type|logoUrl|twoFactorRequired|entityId|shareType|boardId|createdBy|recorderEnabled)$/
const isHandedBack = ({ path }: Endpoint, field: string): boolean =>
  /\/:\w+$|\/dashboard$/.test(path) && handedBack.test(field)

describe('a request body', () => {
  let admin: Person
  beforeAll(async () => {
    admin = await newPerson({ role: 'admin' })
  })

  it('is accepted by many endpoints', () => expect(written.length).toBeGreaterThan(30))

  it.each(named)('is refused, with the field’s name, for every value that the document excludes: %s', (_, endpoint) => {
    const isValid = ajv.compile({ ...published, $id: keyOf(endpoint), ...schemaOf(endpoint) })
    const good = goodBody(endpoint)
    expect([isValid(good), wrongIn(endpoint, good)]).toEqual([true, []])
    const fields = fieldsOf(schemaOf(endpoint)).filter(([path]) => !isHandedBack(endpoint, path.join('.')))
    const excluded = fields.flatMap(([path, schema]) =>
      [undefined, ...candidates(schema)]
        .map((value) => ({ path: path.join('.'), value, body: changed(good, path, value) }))
        .filter(({ body }) => !isValid(JSON.parse(JSON.stringify(body)))),
    )
    const missed = excluded.filter(({ path, body }) => !wrongIn(endpoint, body).some((one) => one.startsWith(path)))
    expect(missed.map(({ path, value }) => ({ path, value }))).toEqual([])
  })

  // `npm test` asks a different quarter of the endpoints in each run.
  it.each(inTurn(named, seed, 4))('is refused, with their names, if it has unknown fields: %s', async (_, endpoint) => {
    const path = endpoint.path.replaceAll(/:\w+/g, admin.id)
    const ask = (more: string) =>
      (endpoint.method === 'put' ? put : post)(path, { ...goodBody(endpoint), ...JSON.parse(more) }, admin.headers)
    refused(await ask('{"__proto__":{"id":"x"}}'), '__proto__')
    refused(await ask('{"constructor":1,"surprise":1}'), 'constructor', 'surprise')
  })

  /** The shortest and longest text for a field, according to the contract. */
  const bodiless = endpoints.filter(({ method, body }) => method === 'post' && body === undefined)

  it.each(bodiless.map((endpoint) => [keyOf(endpoint), endpoint] as const))('is refused by %s', async (_, { path }) => {
    const reply = await post(path.replaceAll(/:\w+/g, admin.id), { surprise: 1 }, admin.headers)
    expect([reply.status, reply.body.error.message]).toEqual([400, 'A POST request takes no body here.'])
  })

  it.each([
    ['POST /api/websites', 'name', 1, 100],
    ['POST /api/websites', 'shareId', 8, 50],
    ['POST /api/websites/:websiteId', 'name', 1, 100],
    ['POST /api/websites/:websiteId/shares', 'name', 1, 200],
    ['POST /api/websites/:websiteId/segments', 'name', 1, 200],
    ['POST /api/websites/:websiteId/segments/:segmentId', 'name', 1, 200],
    ['POST /api/websites/:websiteId/annotations', 'note', 1, 500],
    ['POST /api/websites/:websiteId/replays/saved/:replayId', 'name', 0, 100],
    ['POST /api/share', 'name', 1, 200],
    ['POST /api/share', 'slug', 8, 100],
    ['POST /api/links', 'name', 1, 100],
    ['POST /api/links', 'slug', 1, 100],
    ['POST /api/pixels', 'name', 1, 100],
    ['POST /api/boards', 'name', 1, 200],
    ['POST /api/boards', 'description', 0, 500],
    ['POST /api/reports', 'name', 1, 200],
    ['POST /api/reports', 'description', 0, 500],
    ['POST /api/teams', 'name', 1, 50],
    ['POST /api/teams/:teamId', 'name', 1, 50],
    ['POST /api/teams/:teamId', 'accessCode', 8, 100],
    ['POST /api/teams/join', 'accessCode', 0, 100],
    ['POST /api/users', 'username', 1, 255],
    ['POST /api/users', 'password', 8, 256],
    ['POST /api/users/:userId', 'username', 1, 255],
    ['POST /api/users/:userId', 'password', 8, 256],
    ['POST /api/me/password', 'newPassword', 8, 256],
    ['POST /api/me/api-keys', 'name', 1, 255],
    ['PUT /api/admin/imports/:importId', 'section', 1, 200],
    ['PUT /api/admin/imports/:importId', 'error', 1, 500],
  ] as const)('has texts of limited length: %s, %s of %d to %d characters', (key, field, shortest, longest) => {
    const endpoint = written.find((one) => keyOf(one) === key)!
    const wrong = (length: number) =>
      wrongIn(endpoint, { ...goodBody(endpoint), [field]: 'wxyz1234'.repeat(70).slice(0, length) })
    expect([shortest, longest].flatMap(wrong)).toEqual([])
    expect([...(shortest > 0 ? wrong(shortest - 1) : [field]), ...wrong(longest + 1)]).toEqual([field, field])
  })
})

describe('a name, a note or a description', () => {
  /** Fields for names that people type, and fields for multiline text. */
  const typed = { name: false, username: false, note: true, description: true }
  const cases = named.flatMap(([key, endpoint]) =>
    Object.entries(typed).flatMap(([field, hasLines]) => {
      const isWrong = (text: unknown) => wrongIn(endpoint, { ...goodBody(endpoint), [field]: text }).includes(field)
      const message = (text: string) =>
        made(endpoint.body!).safeParse({ ...goodBody(endpoint), [field]: text }).error?.issues[0]?.message
      const isKnown = fieldsOf(schemaOf(endpoint)).some(([path]) => path.join('.') === field)
      return isKnown ? [{ title: `${field} of ${key}`, hasLines, isWrong, message }] : []
    }),
  )

  it('is a field in many endpoints', () => {
    expect(cases.length).toBeGreaterThan(20)
    expect(new Set(cases.map(({ title }) => title.split(' ')[0]))).toEqual(new Set(Object.keys(typed)))
  })

  it.each(cases)('has only whole characters and no control characters: $title', ({ hasLines, isWrong, message }) => {
    for (const text of ['a\0b', '\0', 'a\u001b[2Jb', 'a\u007fb', 'a\u0085b'])
      expect(message(text)).toMatch(/^Must not contain control characters/)
    for (const text of ['a\nb', 'a\r\nb', 'a\tb']) expect(isWrong(text)).toBe(!hasLines)
    for (const text of ['\ud800', 'a\udfff']) expect(isWrong(text)).toBe(true)
    for (const text of ['日本語 𝒳', 'a\u200db', '👩‍👩‍👧', 'a\u2028b', "'; DROP TABLE users; --"])
      expect(isWrong(text)).toBe(false)
  })
})

it('a user whose old name has control characters can still sign in', async () => {
  const { id, username } = await newPerson({ username: `a\tb ${randomUUID()}` })
  const { status, body } = await post('/api/auth/login', { username, password }, {})
  expect([status, body.user]).toMatchObject([200, { id, username }])
})
