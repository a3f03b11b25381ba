import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { factsOf } from '../facts/index.ts'
import { forEach, pairs } from '../support/concurrently.ts'
import { keyOf } from '../support/good-requests.ts'
import { inTurn, isLong } from '../support/long.ts'
import { markedCalls, markedClick, markedEvents, markedRecording } from '../support/marked.ts'
import { metadata } from '../support/metadata.ts'
import { eventId, sessionId, type Target } from '../support/organisation.ts'
import { seed } from '../support/seed.ts'
import { ingest, insert, type Reply, running } from '../support/weir.ts'
import { ask } from './requests.ts'
import { expected } from './table.ts'
import { callers, newWorld, targetOf, type World } from './world.ts'

/** A text that occurs in everything in the other world, and nowhere else. */
const marker = `marker${randomUUID().replaceAll('-', '')}`

const ids = { session_id: sessionId, event_id: eventId }

const websitesOf = ({ targets }: World): Target[] => Object.values(targets)

const secret = readFileSync(`${running.dataDir}/auth-secret`, 'utf8')

const theirs = await newWorld(metadata, secret, marker)
const ours = await newWorld(metadata, secret)
// Public data is not secret, so nothing in their world is public here.
await metadata.prepare('UPDATE websites SET public = NULL WHERE id = ?').bind(theirs.targets.public.websiteId).run()
const filled = [
  [theirs, marker],
  [ours, 'ours'],
] as const
const inEach = <Row extends object>(rowsOf: (text: string) => readonly Row[]): (Row & { website_id: string })[] =>
  filled.flatMap(([world, text]) =>
    websitesOf(world).flatMap(({ websiteId }) => rowsOf(text).map((row) => ({ ...row, website_id: websiteId }))),
  )
await Promise.all([
  ingest(inEach((text) => markedEvents(text, ids))),
  insert(
    'ingest_session_data',
    inEach((text) => markedCalls(text, ids)),
  ),
  insert(
    'ingest_replay_chunks',
    inEach((text) => markedRecording(text, ids)),
  ),
  insert(
    'ingest_heatmap_events',
    inEach((text) => markedClick(text, ids)),
  ),
])
for (const { websiteId } of websitesOf(theirs)) {
  await metadata.prepare('UPDATE websites SET replay_config = NULL WHERE id = ?').bind(websiteId).run()
}

const whole = ({ status, headers, body }: Reply): string =>
  `${status} ${JSON.stringify([...headers])} ${JSON.stringify(body)}`

/** Callers who may not see the strangers' data. Admins may see everything. */
const strangers = callers.filter((caller) => caller !== 'admin' && caller !== 'operator')
const reads = expected.map(({ endpoint }) => endpoint).filter((endpoint) => endpoint.startsWith('GET '))

const placeOf = (endpoint: string): number => expected.findIndex((one) => one.endpoint === endpoint)

describe('other users’ data', () => {
  it('is visible to callers who may see it', async () => {
    const found = await Promise.all(
      reads
        .filter((endpoint) => /:websiteId/.test(endpoint))
        .map(async (endpoint) => [endpoint, whole(await ask(endpoint, 'owner', theirs, theirs.targets.own))] as const),
    )
    const without = found.filter(([, text]) => !text.includes(marker)).map(([endpoint]) => endpoint)
    const textless = endpoints.filter((endpoint) => factsOf(endpoint).holdsNoText).map(keyOf)
    expect(without.sort()).toEqual(textless.sort())
  })

  it.each(reads)('does not appear in any answer of %s about the caller’s own objects', async (endpoint) => {
    // In `npm test`, one stranger sends a request. Which one does depends on the endpoint.
    await forEach(inTurn(strangers, placeOf(endpoint) + seed, strangers.length), async (caller) => {
      const reply = await ask(endpoint, caller, ours, ours.targets[targetOf(caller)])
      expect(whole(reply), `${caller} ${endpoint}`).not.toContain(marker)
    })
  })

  it.each(expected.map(({ endpoint }) => endpoint))(
    'does not appear in any answer of %s to a stranger who requests it',
    async (endpoint) => {
      // These endpoints revoke the caller's sign-ins.
      const world = /\/(logout|password)$/.test(endpoint) ? await newWorld(metadata, secret) : ours
      const turn = placeOf(endpoint) + seed
      const targets = endpoint.includes('/:') ? websitesOf(theirs) : [theirs.targets.own]
      const isWhole = endpoint.startsWith('GET ') && !endpoint.includes('/:')
      const asked = pairs([...strangers.entries()], targets).filter(
        // In `npm test`, a third of the strangers read endpoints without an id. At the others, one stranger requests
        // one of their websites. Which ones do depends on the endpoint.
        ([[place], target]) =>
          isLong ||
          (isWhole && (place + turn) % 3 === 0) ||
          ((place + turn) % strangers.length === 0 && target === targets[turn % targets.length]),
      )
      await forEach(asked, async ([[, caller], target]) => {
        // The slug alone is enough to open a share.
        const reply = await ask(endpoint, caller, world, { ...target, slug: ours.targets.own.slug })
        expect(whole(reply), `${caller} ${endpoint}`).not.toContain(marker)
      })
    },
  )
})

describe('a share', () => {
  it('never reveals a distinct id or the website’s owner', async () => {
    for (const endpoint of reads) {
      const text = whole(await ask(endpoint, 'share', theirs, theirs.targets.own))
      expect(text, endpoint).not.toContain('distinct_id')
      expect(text, endpoint).not.toMatch(/(user|team|admin|key|view-only|share) marker/)
    }
  })
})
