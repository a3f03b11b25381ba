import { describe, expect, it } from 'vitest'
import { newShare, unauthorized } from '../support/callers.ts'
import { newPerson, websiteOf } from '../support/people.ts'
import { failed } from '../support/refusals.ts'
import { send } from '../support/weir.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Other strings that a lenient decoder would decode to the same bytes. */
function otherSpellings(token: string): string[] {
  const [head, payload, signature] = token.split('.') as [string, string, string]
  const last = alphabet.indexOf(signature.at(-1)!)
  const padded = (text: string) => text.padEnd(Math.ceil(text.length / 4) * 4, '=')
  return [
    ...[1, 2, 3].map((bits) => [head, payload, signature.slice(0, -1) + alphabet[last + bits]]),
    [head, payload, `${signature}=`],
    [head, payload, `${signature}.`],
    [head, payload, signature.replaceAll('-', '+').replaceAll('_', '/')],
    [padded(head), payload, signature],
    [head, padded(payload), signature],
    [`${head}=`, `${payload}=`, signature],
    [head, payload, `${signature.slice(0, 20)}\u00a0${signature.slice(20)}`],
  ]
    .map((parts) => parts.join('.'))
    .filter((other) => other !== token)
}

describe('a token', () => {
  it('is accepted for a sign-in only in its exact spelling', async () => {
    for (let tries = 0; tries < 5; tries++) {
      const { headers } = await newPerson()
      const token = headers.authorization!.slice('Bearer '.length)
      expect((await send('/api/me', { headers })).status).toBe(200)
      for (const other of otherSpellings(token)) {
        failed(await send('/api/me', { headers: { authorization: `Bearer ${other}` } }), unauthorized)
        failed(await send('/api/me', { headers: { 'x-umami-api-key': other } }), unauthorized)
      }
    }
  })

  it('is accepted for a share only in its exact spelling', async () => {
    for (let tries = 0; tries < 5; tries++) {
      const { token } = await newShare(await websiteOf(), { overview: true })
      expect((await send('/api/me', { headers: { 'x-weir-share-token': token } })).status).toBe(200)
      for (const other of otherSpellings(token)) {
        failed(await send('/api/me', { headers: { 'x-weir-share-token': other } }), unauthorized)
      }
    }
  })
})
