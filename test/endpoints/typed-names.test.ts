import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { made } from '../../src/made.ts'
import { goodRequestOfNobody, keyOf } from '../support/good-requests.ts'
import { newPerson, password } from '../support/people.ts'
import { running, send } from '../support/weir.ts'

/** Fields that hold what a person types as a name, and those that may have lines. */
const fields = { name: false, username: false, note: true, description: true }

/** Every field of the kind in every body, with a body that is valid but for that field. */
const cases = endpoints.flatMap((endpoint) => {
  // A sign-in takes names that were given before there was this rule.
  if (endpoint.kind !== 'action' || endpoint.body === undefined || endpoint.path === '/api/auth/login') return []
  const schema = made(endpoint.body)
  const good = goodRequestOfNobody(endpoint).body as object
  return Object.entries(fields).flatMap(([field, hasLines]) => {
    const messages = (text: string) =>
      schema
        .safeParse({ ...good, [field]: text })
        .error?.issues.filter(({ path }) => path[0] === field)
        .map(({ message }) => message) ?? []
    const isKnown = schema.safeParse({ ...good, [field]: 'x' }).success
    return isKnown ? [{ title: `${field} of ${keyOf(endpoint)}`, hasLines, messages }] : []
  })
})

describe('a name, a note or a description', () => {
  it('is a field of many endpoints', () => {
    expect(cases.length).toBeGreaterThan(20)
    expect(new Set(cases.map(({ title }) => title.split(' ')[0]))).toEqual(new Set(Object.keys(fields)))
  })

  it.each(cases)('holds no control characters: $title', ({ hasLines, messages }) => {
    const refused = [/^Must hold no control characters/]
    for (const text of ['a\0b', '\0', 'a\u001b[2Jb', 'a\u007fb', 'a\u0085b']) {
      expect(messages(text)).toEqual(refused.map((one) => expect.stringMatching(one)))
    }
    for (const text of ['a\nb', 'a\r\nb', 'a\tb']) expect(messages(text)).toHaveLength(hasLines ? 0 : 1)
    for (const text of ['日本語 𝒳', 'a\u200db', '👩‍👩‍👧', 'a\u2028b', "'; DROP TABLE users; --"])
      expect(messages(text)).toEqual([])
  })
})

describe('the name of a user', () => {
  it('with U+0000 is a 400 that names the field', async () => {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ username: `a\0${randomUUID()}`, password: 'long enough', role: 'user' }),
    }
    const { status, body } = await send('/api/users', init)
    expect([status, body.error.issues]).toEqual([
      400,
      [{ path: 'username', message: 'Must hold no control characters, such as U+0000 or line breaks.' }],
    ])
  })

  it('still signs in who has had such a name before', async () => {
    const { id, username } = await newPerson({ username: `a\tb ${randomUUID()}` })
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    }
    const { status, body } = await send('/api/auth/login', init)
    expect([status, body.user]).toMatchObject([200, { id, username }])
  })
})
