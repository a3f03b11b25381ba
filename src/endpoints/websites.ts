import * as z from 'zod'
import { ownWebsites, personOf } from '../access/rights.ts'
import { invalid } from '../errors.ts'
import type { Website } from '../metadata/websites.ts'
import { freeText, group, oneOf, query, wholeNumber } from '../request/query-string.ts'
import { action, id } from './endpoint.ts'

const WebsiteAnswer = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  shareId: z.string().nullable(),
  resetAt: z.string().nullable(),
  userId: z.string().nullable(),
  teamId: z.string().nullable(),
  createdBy: z.string().nullable(),
  createdAt: z.string().nullable(),
  updatedAt: z.string().nullable(),
  deletedAt: z.string().nullable(),
  recorderEnabled: z.boolean(),
  replayConfig: z.null(),
})

const answer = ({ id, name, domain, createdAt, updatedAt }: Website): z.infer<typeof WebsiteAnswer> => ({
  id,
  name,
  domain,
  shareId: null,
  resetAt: null,
  userId: null,
  teamId: null,
  createdBy: null,
  createdAt: new Date(createdAt).toISOString(),
  updatedAt: new Date(updatedAt).toISOString(),
  deletedAt: null,
  recorderEnabled: false,
  replayConfig: null,
})

/** A host name, with a port where it has one: `example.com`, `localhost:3000`. */
const domain =
  /^(?=.{1,500}$)[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)*(:\d{1,5})?$/u

const notYet = (what: string) =>
  z.null({ error: `This server has no ${what} yet: leave it out, or send null.` }).optional()

/** What a new website may be given. */
export const NewWebsite = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    // A half of a surrogate pair cannot be stored as UTF-8 and would come back as another text.
    .refine((name) => name.isWellFormed(), {
      error: 'Must be valid Unicode text.',
    }),
  domain: z.string().regex(domain, { error: 'Must be a host name of at most 500 characters, such as example.com.' }),
  id: id.nullish(),
  shareId: notYet('shares'),
  teamId: notYet('teams'),
})

export const createWebsite = action({
  name: 'createWebsite',
  method: 'post',
  path: '/api/websites',
  summary: 'Creates a website.',
  access: { to: 'account' },
  query: query(),
  body: NewWebsite,
  answer: WebsiteAnswer,
  async run({ name, domain, id = crypto.randomUUID() }, { metadata, holder }) {
    const userId = personOf(holder)?.id ?? null
    const website = { id: id ?? crypto.randomUUID(), name, domain, userId, teamId: null, createdBy: userId }
    const created = await metadata.websites.create(website)
    if (!created) throw invalid([{ path: 'id', message: 'A website with this id exists already, or existed.' }])
    return { body: answer((await metadata.websites.read(website.id))!) }
  },
})

const orders = ['name', 'domain', 'createdAt'] as const

export const listWebsites = action({
  name: 'listWebsites',
  method: 'get',
  path: '/api/websites',
  summary: 'Websites that the key opens, paged.',
  access: { to: 'known' },
  query: query(
    group(
      {
        page: wholeNumber('Page, from 1.', { min: 1, max: 1_000_000_000, default: 1 }),
        pageSize: wholeNumber('Rows of a page.', { min: 1, max: 1000, default: 20 }),
        maxResults: wholeNumber('Counts and pages no further than this.', { min: 1, max: 1_000_000_000 }),
        search: freeText('Part of the name or the domain, in any case.'),
        orderBy: oneOf('What to order by. The name when left out.', orders),
        sortDescending: oneOf('Whether the order is descending.', ['true', 'false']),
        includeTeams: freeText('Accepted and without effect: there are no teams yet.'),
      },
      ({ page = 1, pageSize = 20, maxResults = 1_000_000_000, search, orderBy, sortDescending }) => ({
        page,
        pageSize,
        maxResults,
        search,
        orderBy,
        sortDescending,
      }),
    ),
  ),
  answer: z.object({
    data: z.array(WebsiteAnswer),
    count: z.number().int(),
    page: z.number().int(),
    pageSize: z.number().int(),
    orderBy: z.enum(orders).optional(),
    search: z.string().optional(),
    isCapped: z.literal(true).optional(),
  }),
  async run({ page, pageSize, maxResults, search, orderBy, sortDescending }, { metadata, holder }) {
    const offset = (page - 1) * pageSize
    const list = await metadata.websites.list(ownWebsites(holder, false), {
      search: search ?? '',
      orderBy: orderBy ?? 'name',
      descending: sortDescending === 'true',
      limit: Math.max(0, Math.min(pageSize, maxResults - offset)),
      offset,
    })
    const isCapped = list.count > maxResults
    return {
      body: {
        data: list.data.map(answer),
        count: isCapped ? maxResults : list.count,
        page,
        pageSize,
        ...(orderBy && { orderBy }),
        ...(search && { search }),
        ...(isCapped && { isCapped: true as const }),
      },
    }
  },
})

export const getWebsite = action({
  name: 'getWebsite',
  method: 'get',
  path: '/api/websites/:websiteId',
  summary: 'One website.',
  access: { to: 'website', right: 'view', section: 'any' },
  query: query(),
  answer: WebsiteAnswer,
  run: async (_, { website }) => ({ body: answer(website!) }),
})

export const deleteWebsite = action({
  name: 'deleteWebsite',
  method: 'delete',
  path: '/api/websites/:websiteId',
  summary: 'Deletes a website: it answers nothing from then on.',
  access: { to: 'website', right: 'update' },
  query: query(),
  answer: z.object({ ok: z.literal(true) }),
  async run({ websiteId }, { metadata }) {
    await metadata.websites.delete(websiteId)
    return { body: { ok: true as const } }
  },
})
