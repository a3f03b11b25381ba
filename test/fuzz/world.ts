import { randomUUID } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { event, id, number, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { newWorld, targetOf, type World } from '../permissions/world.ts'
import { markedRecording } from '../support/marked.ts'
import { eventId, organisation, sessionId, type Target } from '../support/organisation.ts'
import { columnTime, day } from '../support/website.ts'
import { ingest, insert as insertRows } from '../support/weir.ts'

/** A sender of requests, with or without a credential. */
export interface Caller {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Parameters that are added to all its query strings. */
  readonly query?: Readonly<Record<string, string>>
  /** The website that most of its requests are about. */
  readonly home: Place
  /** Texts that no answer to this caller may contain. */
  readonly secrets: readonly string[]
  /** Whether its credential is invalid. */
  readonly isRefused: boolean
  /** The kinds of places that this caller could open to others. It only reads them. */
  readonly mayOpen: readonly Place['kind'][]
}

/** The ids that are used together in a request's path and body. */
export interface Place extends Target {
  /**
   * `ours` belongs to the callers. So does `spare`, which may be deleted. `sealed` belongs to the owner and stays
   * unchanged. `foreign` belongs to people who send nothing.
   */
  readonly kind: 'ours' | 'spare' | 'sealed' | 'foreign'
  readonly userId: string
  readonly keyId: string
  /** An identity's id that does not exist, because the fuzz test has no issuer. */
  readonly identityId: string
}

export interface FuzzWorld {
  readonly callers: readonly Caller[]
  readonly places: readonly Place[]
  /** A user who can sign in. */
  readonly username: string
  readonly accessCode: string
}

const spares = 24

/** A small organisation that the requests are about, with objects that most members may not see. */
export async function newFuzzWorld(database: D1Database, secret: string): Promise<FuzzWorld> {
  const [foreign, sealed, hidden] = [marker(), marker(), marker()]
  const theirs = await newWorld(database, secret, foreign)
  const ours = await newWorld(database, secret)
  const { stamped, user, signIn, key, team, join, share, segment, website, insert } = organisation(secret, 'spare')
  const now = Date.now()

  const { own } = ours.targets
  const spare = async (): Promise<Place> => {
    const [userId, { id: teamId }] = [user(), team()]
    join(teamId, ours.ownerId, 'team-owner')
    join(teamId, userId, 'team-member')
    const owned = { user_id: ours.ownerId, created_by: ours.ownerId }
    const { id: keyId } = await key({ user_id: ours.ownerId })
    return {
      kind: 'spare',
      userId,
      keyId,
      identityId: randomUUID(),
      ...(await website(owned, teamId, { events: true })),
    }
  }
  const sealedId = stamped('websites', {
    ...{ name: `website ${sealed}`, domain: 'example.com', search: `website ${sealed}\nexample.com` },
    ...{ user_id: ours.ownerId, created_by: ours.ownerId },
  })
  const ofSealed = await share(sealedId, {}, { name: `share ${hidden}` })
  const locked = await share(sealedId, { events: true, filters: { path: 'c./open' } })
  const limited = await share(own.websiteId, { events: true, allowFilter: false })
  const ended = await share(own.websiteId, { events: true }, { expires_at: now - 1 })
  const person = user()

  const placeOf = (kind: Place['kind'], target: Target, { memberId, keyId }: World): Place => ({
    ...target,
    ...{ kind, userId: memberId, keyId, identityId: randomUUID() },
  })
  const home = placeOf('ours', own, ours)
  const sealedPlace: Place = {
    ...home,
    ...{ kind: 'sealed', websiteId: sealedId, segmentId: segment(sealedId, hidden), shareId: ofSealed.id },
    slug: ofSealed.slug,
  }
  const places: Place[] = [
    ...Object.values(ours.targets).map((target) => placeOf('ours', target, ours)),
    ...Object.values(theirs.targets).map((target) => placeOf('foreign', { ...target, slug: randomUUID() }, theirs)),
    { ...sealedPlace, slug: randomUUID() },
    ...(await Promise.all(Array.from({ length: spares }, spare))),
  ]

  const ofOwner = ['owner', 'write', 'read']
  const all = ['admin', 'operator']
  const known = Object.entries(ours.headers).map(([name, headers]): Caller => {
    const isAll = all.includes(name)
    const isOwner = ofOwner.includes(name)
    return {
      name,
      headers,
      home: placeOf('ours', ours.targets[targetOf(name as keyof World['headers'])], ours),
      secrets: isAll ? [] : isOwner ? [foreign] : [foreign, sealed, hidden],
      isRefused: ['wrong', 'expired'].includes(name),
      mayOpen: isAll ? ['foreign', 'sealed'] : isOwner ? ['sealed'] : [],
    }
  })
  const caller = (name: string, headers: Caller['headers'], more: Partial<Caller> = {}): Caller => ({
    ...{ name, headers, home, secrets: [foreign, sealed, hidden], isRefused: false, mayOpen: [] },
    ...more,
  })
  const throughLocked = { home: { ...sealedPlace, slug: locked.slug }, secrets: [foreign, hidden] }
  const refused = { isRefused: true }
  const another = await key({ user_id: person })
  const callers = [
    ...known,
    caller('somebody', await signIn(person)),
    ...(await Promise.all(Array.from({ length: spares }, async () => caller('spare person', await signIn(user()))))),
    caller('locked share', { 'x-weir-share-token': locked.token }, throughLocked),
    caller('locked slug', {}, { ...throughLocked, query: { share: locked.slug } }),
    caller('slug', {}, { query: { share: limited.slug } }),
    caller('share without filters', { 'x-weir-share-token': limited.token }),
    caller('expired sign-in', await signIn(person, now - 1), refused),
    caller('expired share', { 'x-weir-share-token': ended.token }, refused),
    caller('unknown slug', {}, { query: { share: randomUUID() }, ...refused }),
    caller('cut token', bearer(keyIn(await signIn(person)).slice(0, -3)), refused),
    caller('deleted user', await signIn(user({ deleted_at: now })), refused),
    caller('two credentials', { ...(await signIn(person)), 'x-weir-api-key': keyIn(another.headers) }, refused),
  ]
  await insert(database)
  // A public website's data is not secret, so no foreign website stays public.
  await database.prepare('UPDATE websites SET public = NULL WHERE id = ?').bind(theirs.targets.public.websiteId).run()
  await ingest([
    ...Object.values(theirs.targets).flatMap(({ websiteId }) => events(websiteId, `/open ${foreign}`, foreign)),
    ...Object.values(ours.targets).flatMap(({ websiteId }) => events(websiteId, '/open', 'chrome')),
    ...events(sealedId, '/open', 'chrome'),
    ...events(sealedId, `/closed ${hidden}`, hidden, 20),
  ])
  await insertRows('ingest_replay_chunks', [
    ...Object.values(theirs.targets).flatMap(({ websiteId }) => replay(websiteId, foreign)),
    ...Object.values(ours.targets).flatMap(({ websiteId }) => replay(websiteId, 'chrome')),
  ])
  return { callers, places, username: ours.memberName, accessCode: ours.accessCode }
}

const marker = (): string => `marker${randomUUID().replaceAll('-', '')}`

const keyIn = ({ authorization = '' }: Caller['headers']): string => authorization.slice('Bearer '.length)

const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` })

const replay = (website_id: string, text: string): object[] =>
  markedRecording(text, { session_id: sessionId, event_id: eventId }).map((chunk) => ({ ...chunk, website_id }))

/** Page views and custom events with properties, spread over more than a year. */
const events = (website_id: string, url_path: string, text: string, first = 0): IngestRow[] =>
  [0, 1, 2, 40, 41, 100, 400].flatMap((days, index) => {
    const common = {
      website_id,
      url_path,
      ...{ browser: text, page_title: text, tag: text, distinct_id: text },
      session_id: index === 0 && first === 0 ? sessionId : id(first + index),
      visit_id: id(first + index),
      created_at: columnTime(day.startAt - days * 86_400_000 + 3_600_000),
    }
    const properties = [string('plan', text), string(`kind ${text}`, 'x'), number('price', String(index))]
    return [
      event({ ...common, event_type: 1, event_id: randomUUID() }),
      event(
        { ...common, event_id: index === 0 && first === 0 ? eventId : randomUUID(), event_name: 'buy' },
        properties,
      ),
      event({ ...common, event_id: randomUUID(), event_name: `name ${text}` }, properties),
    ]
  })
