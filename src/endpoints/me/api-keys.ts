import * as z from 'zod'
import { hashOf, newKey, prefixOf } from '../../access/api-key.ts'
import { mayOnWebsite, personOf } from '../../access/rights.ts'
import { ApiError, invalid } from '../../errors.ts'
import type { ValueOf } from '../../made.ts'
import type { ApiKey } from '../../metadata/keys.ts'
import { search } from '../../request/page.ts'
import { query } from '../../request/query-string.ts'
import { Done, done, timeOf, timeOrNull } from '../answers.ts'
import { isoMoment, nameSchema, origins } from '../bodies.ts'
import { action, type Context } from '../endpoint.ts'
import { id } from '../ids.ts'

const KeyAnswer = () =>
  z.object({
    id: z.string(),
    name: z.string(),
    keyPrefix: z.string().describe('The first characters of the key.'),
    createdAt: z.string(),
    lastUsedAt: z.string().nullable().describe('Accurate to five minutes.'),
    access: z.enum(['read', 'write']),
    websiteIds: z.array(z.string()).nullable().describe('The websites that the key opens; null: all of its owner’s.'),
    expiresAt: z.string().nullable(),
    origins: z.array(z.string()).nullable().describe('The origins whose pages may use it; null: any.'),
  })

const keyAnswer = (key: ApiKey): ValueOf<typeof KeyAnswer> => ({
  id: key.id,
  name: key.name,
  keyPrefix: key.prefix,
  createdAt: timeOf(key.createdAt),
  lastUsedAt: timeOrNull(key.lastUsedAt),
  access: key.access,
  websiteIds: key.websiteIds && [...key.websiteIds],
  expiresAt: timeOrNull(key.expiresAt),
  origins: key.origins && [...key.origins],
})

const someWebsites = 'Must be a list of 1 to 1000 website ids; if omitted, the key is for all of yours.'

const NewApiKeyBody = () =>
  z.strictObject({
    name: nameSchema(255),
    access: z.enum(['read', 'write'], { error: 'Must be one of: read, write.' }).default('write'),
    websiteIds: z
      .array(id(), { error: someWebsites })
      .min(1, { error: someWebsites })
      .max(1000, { error: someWebsites })
      .nullish(),
    expiresAt: isoMoment().nullish(),
    origins: origins().nullish(),
  })

/** Throws a 400 that lists each website that the caller may not see or that does not exist. */
async function refuseForeignWebsites(ids: readonly string[], { metadata, holder }: Context): Promise<void> {
  const all = { search: '', orderBy: 'createdAt', descending: false, limit: ids.length, offset: 0 } as const
  const { data } = await metadata.websites.list('website', { ids }, all)
  const visible = new Set(data.filter((website) => mayOnWebsite(holder, website, 'view')).map(({ id }) => id))
  const issues = ids.flatMap((id, index) =>
    visible.has(id) ? [] : [{ path: `websiteIds.${index}`, message: `You have no website ${id}.` }],
  )
  if (issues.length > 0) throw invalid(issues)
}

export const createMyApiKey = action({
  name: 'createMyApiKey',
  method: 'post',
  path: '/api/me/api-keys',
  summary: 'Creates an API key. Only this answer shows it.',
  access: { to: 'person' },
  refuses: ['conflict'],
  body: NewApiKeyBody,
  answer: () => KeyAnswer().extend({ key: z.string() }),
  async run({ name, access, websiteIds, expiresAt, origins }, context) {
    const ids = websiteIds ? [...new Set(websiteIds)] : null
    const expiry = expiresAt ? Date.parse(expiresAt) : null
    if (expiry !== null && expiry <= context.now) {
      throw invalid([{ path: 'expiresAt', message: 'Must be later than now.' }])
    }
    if (websiteIds) await refuseForeignWebsites(websiteIds, context)
    const key = newKey()
    const fields = { name, access, websiteIds: ids, origins: origins ?? null, expiresAt: expiry }
    const hashed = { hash: await hashOf(key), prefix: prefixOf(key) }
    const whose = { userId: personOf(context.holder)!.id, isAdmin: false }
    const created = await context.metadata.keys.create(
      { id: crypto.randomUUID(), ...whose, ...fields, ...hashed },
      context.mostOwned,
    )
    return { body: { ...keyAnswer(created), key } }
  },
})

export const getMyApiKeys = action({
  name: 'getMyApiKeys',
  path: '/api/me/api-keys',
  summary: 'Your API keys, expired ones included, newest first.',
  access: { to: 'person' },
  query: query(search('Part of the name, ignoring case.')),
  answer: () => z.array(KeyAnswer()),
  async run({ search = '' }, { metadata, holder }) {
    const keys = await metadata.keys.list(personOf(holder)!.id)
    return { body: keys.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())).map(keyAnswer) }
  },
})

export const deleteMyApiKey = action({
  name: 'deleteMyApiKey',
  method: 'delete',
  path: '/api/me/api-keys/:keyId',
  summary: 'Deletes one of your API keys. It stops working.',
  access: { to: 'person' },
  refuses: ['not-found'],
  answer: Done,
  async run({ keyId }, { metadata, holder }) {
    if (!(await metadata.keys.delete(keyId, personOf(holder)!.id))) {
      throw new ApiError('not-found', 'You have no such key.')
    }
    return done
  },
})
