import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { anId, forbidden, moment, notFound, post, remove } from '../support/callers.ts'
import { newPerson, password, websiteOf } from '../support/people.ts'
import { failed } from '../support/refusals.ts'
import { pathOf, type Reply, send } from '../support/weir.ts'

/** Tests objects that people create. All kinds are created, read, listed, changed and deleted in the same way. */

type Row = Readonly<Record<string, unknown>>

interface Thing {
  /** The path of the list, which is also used to create objects. */
  readonly many: string
  readonly query?: Readonly<Record<string, string>>
  /** The path of a single object, if it is not below the list. */
  readonly one?: (id: string) => string
  readonly body: object
  /** The field that contains its name. */
  readonly named?: string
  /** Fields in the list that a single object lacks. */
  readonly listed?: readonly string[]
  /** Only admins may create it. */
  readonly isAdmins?: true
  /** The list's sort fields, with the values of its first rows in ascending order. By default, a list has one order. */
  readonly orders?: Readonly<Record<string, readonly number[]>>
  /** The refusal for a missing object. */
  readonly gone?: typeof notFound
}

const ofWebsite = (id: string): Readonly<Record<string, Thing>> => {
  const website = `/api/websites/${id}`
  const steps = ['/a', '/b'].map((value) => ({ type: 'path', value }))
  const report = { websiteId: id, type: 'utm', parameters: {} }
  return {
    segment: {
      ...{ many: `${website}/segments`, query: { type: 'segment' }, orders: { name: [1, 0, 2] } },
      body: { type: 'segment', parameters: { filters: [{ name: 'browser', operator: 'eq', value: 'chrome' }] } },
    },
    annotation: { many: `${website}/annotations`, named: 'note', body: { date: '2025-10-15T14:26:28.500Z' } },
    funnel: { many: `${website}/funnels`, body: { parameters: { window: 60, steps } }, listed: ['website'] },
    goal: { many: `${website}/goals`, body: { parameters: { type: 'path', value: '/' } }, listed: ['website'] },
    'saved report': { many: '/api/reports', query: { websiteId: id }, body: report, listed: ['website'] },
    share: {
      ...{ many: `${website}/shares`, one: (share) => `/api/share/id/${share}`, orders: { name: [1, 0, 2] } },
      body: { parameters: { events: true } },
    },
  }
}

const slug = () => randomUUID()

const ofPerson: Readonly<Record<string, Thing>> = {
  website: {
    ...{ many: '/api/websites', gone: forbidden, listed: ['user', 'createUser'] },
    ...{ body: { domain: 'example.com' }, orders: { name: [1, 0, 2], createdAt: [0, 1, 2] } },
  },
  link: {
    ...{ many: '/api/links', orders: { name: [1, 0, 2], createdAt: [0, 1, 2] } },
    body: { url: 'https://example.com/', slug },
  },
  pixel: { many: '/api/pixels', body: { slug }, orders: { name: [1, 0, 2], createdAt: [0, 1, 2] } },
  board: {
    ...{ many: '/api/boards', orders: { name: [1, 0, 2], createdAt: [0, 1, 2] } },
    body: { type: 'mixed', description: 'of 2025' },
  },
  team: {
    ...{ many: '/api/teams', body: {}, gone: forbidden, listed: ['_count'] },
    orders: { name: [1, 0, 2], createdAt: [0, 1, 2] },
  },
  user: {
    ...{ many: '/api/users', named: 'username', isAdmins: true, listed: ['_count', 'twoFactorRequired'] },
    ...{ body: { password, role: 'user' }, orders: { username: [1, 0, 2], createdAt: [0, 1, 2] } },
  },
}

const kinds = [...Object.keys(ofWebsite('')), ...Object.keys(ofPerson)]

/** Creates an owner for objects of a kind. */
async function ownerOf(kind: string) {
  const owner = await newPerson({ role: ofPerson[kind]?.isAdmins ? 'admin' : 'user' })
  const thing = ofPerson[kind] ?? ofWebsite(await websiteOf({ userId: owner.id }))[kind]!
  const { many, query = {}, named = 'name', one = (id) => `${many}/${id}` } = thing
  const bodyOf = (name: string) => ({
    ...Object.fromEntries(Object.entries(thing.body).map(([field, value]) => [field, value === slug ? slug() : value])),
    [named]: name,
  })
  return {
    ...{ ...thing, owner, named, one, bodyOf },
    make: (name: string) => post(many, bodyOf(name), owner.headers),
    read: (id: string) => send(one(id), owner),
    list: (more: object = {}) => send(pathOf(many, { ...query, ...more }), owner),
  }
}

type Kind = Awaited<ReturnType<typeof ownerOf>>

/** The created object. A team is returned with its owner. */
const madeBy = async (asked: Promise<Reply>): Promise<Row & { readonly id: string }> => {
  const { status, body } = await asked
  expect({ status, body }).toMatchObject({ status: 200 })
  return Array.isArray(body) ? body[0] : body
}

const without = (row: Row, fields: readonly string[] = []): Row =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field)))

/** The fields that change with every edit. Users lack them. */
const stamps = ['updatedAt', 'createdAt', 'members']

describe.each(kinds)('a %s', (kind) => {
  let own: Kind
  beforeAll(async () => {
    own = await ownerOf(kind)
  })

  it('can be created, read, listed, changed and deleted', async () => {
    const { named, one, owner } = own
    const name = `  É “x” ? 日本 ${randomUUID()} `
    const made = await madeBy(own.make(name))
    const { password: _, ...sent } = own.bodyOf(name.trim()) as Row
    expect(made).toMatchObject({ ...sent, ...('slug' in sent && { slug: expect.any(String) }), id: anId })
    expect(without((await own.read(made.id)).body, stamps)).toEqual(without(made, stamps))
    const [listed] = (await own.list({ search: name.trim().slice(-20).toUpperCase() })).body.data
    expect(without(listed, [...stamps, ...(own.listed ?? [])])).toEqual(without(made, stamps))
    const renamed = { ...made, [named]: `renamed ${made.id}` }
    const whole = kind === 'share' ? without(renamed, ['id', 'entityId', 'shareType', ...stamps]) : renamed
    const changed = (await post(one(made.id), whole, owner.headers)).body
    expect(without(changed, stamps)).toEqual(without(renamed, stamps))
    if ('updatedAt' in made) expect(changed).toMatchObject({ createdAt: made.createdAt, updatedAt: moment })
    if (ofPerson[kind]) {
      const again = await post(one(made.id), { [named]: renamed[named] }, owner.headers)
      expect(without(again.body, stamps), 'A change keeps all other fields.').toEqual(without(renamed, stamps))
    }
    const id = one(made.id).replace(made.id, made.id.toUpperCase())
    expect(without((await send(id, owner)).body, stamps)).toEqual(without(renamed, stamps))
    expect((await remove(one(made.id), owner.headers)).body).toStrictEqual({ ok: true })
    expect((await own.list({ search: `renamed ${made.id}` })).body.data).toEqual([])
  })

  it('is not found if it is deleted or never existed, and no other website gives access to it', async () => {
    const { one, owner, gone = notFound } = own
    const made = await madeBy(own.make(`gone ${randomUUID()}`))
    await remove(one(made.id), owner.headers)
    for (const id of [made.id, randomUUID()]) {
      const body = own.bodyOf('x')
      const { password: _, ...change } = { ...body, ...(kind === 'share' && { slug: slug() }) } as Row
      for (const reply of [
        await own.read(id),
        await post(one(id), change, owner.headers),
        await remove(one(id), owner.headers),
      ])
        failed(reply, gone)
    }
    if (!one('').startsWith('/api/websites/')) return
    const kept = await madeBy(own.make('kept'))
    const other = await websiteOf({ userId: owner.id })
    const path = one(kept.id).replace(/(?<=websites\/)[^/]+(?=\/)/, other)
    if (path === one(kept.id)) return
    for (const reply of [
      await send(path, owner),
      await post(path, own.bodyOf('x'), owner.headers),
      await remove(path, owner.headers),
    ])
      failed(reply, gone)
    expect((await own.read(kept.id)).body).toEqual(kept)
    await remove(one(kept.id), owner.headers)
  })

  it('is listed in pages, in order, and can be found by any part of its name', async () => {
    const mark = randomUUID()
    const names = [`b 100% ${mark}`, `A_' ${mark}`, `été ${mark}`]
    for (const name of names) await madeBy(own.make(name))
    const list = async (more: object) => {
      const { status, body } = await own.list({ search: mark, ...more })
      expect({ status, body }).toMatchObject({ status: 200 })
      return { ...body, names: body.data.map((row: Row) => names.indexOf(row[own.named] as string)) }
    }
    const all = await list({})
    expect(all).toMatchObject({ count: 3, page: 1, pageSize: 20, search: mark })
    expect([...all.names].sort()).toEqual([0, 1, 2])
    expect(await list({ pageSize: 2 })).toMatchObject({ names: all.names.slice(0, 2), count: 3, pageSize: 2 })
    expect(await list({ pageSize: 2, page: 2 })).toMatchObject({ names: all.names.slice(2), count: 3, page: 2 })
    expect(await list({ page: 9 })).toMatchObject({ data: [], count: 3, page: 9 })
    expect(await list({ maxResults: 2 })).toMatchObject({ names: all.names.slice(0, 2), count: 2, isCapped: true })
    expect(all).not.toHaveProperty('isCapped')
    const found = async (search: string) => (await list({ search })).names
    expect(await found(`ÉTÉ ${mark.toUpperCase()}`)).toEqual([2])
    expect(await found(`100% ${mark}`)).toEqual([0])
    expect(await found(`_' ${mark}`)).toEqual([1])
    for (const none of ["' OR 1=1 --", `_té ${mark}`, `1%${mark}`]) expect(await found(none)).toEqual([])
    for (const [orderBy, expected] of Object.entries(own.orders ?? {})) {
      expect(await list({ orderBy })).toMatchObject({ names: expected, orderBy })
      const descending = await list({ orderBy, sortDescending: 'true' })
      expect(descending).toMatchObject({ names: [...expected].reverse(), sortDescending: true })
    }
  })
})
