import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { event, id } from '../oracle/fixtures.ts'
import { weir as command } from '../support/commands.ts'
import { isolate } from '../support/isolate.ts'
import { metadata } from '../support/metadata.ts'
import { keyOf, websiteOf } from '../support/people.ts'
import type { Ended } from '../support/run-command.ts'
import { add, day } from '../support/website.ts'
import { pathOf } from '../support/weir.ts'

const weir = (...words: string[]): Promise<Ended> => command(['cache', 'purge', ...words])

const now = Date.now()
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now }))
afterAll(() => void vi.useRealTimers())

describe('npm run weir -- cache purge', () => {
  it('drops all cached answers about these websites, and no others, within ten seconds', async () => {
    const [ask, headers] = [isolate(), await keyOf(undefined)]
    const websites = [await websiteOf(), await websiteOf(), await websiteOf()] as const
    const counts = () =>
      Promise.all(
        websites.map(async (websiteId) => {
          const { cache, text } = await ask(pathOf(`/api/websites/${websiteId}/events`, day), headers)
          return [cache, JSON.parse(text).count]
        }),
      )
    expect(await counts()).toEqual(Array(3).fill(['MISS', 0]))
    for (const websiteId of websites) await add(websiteId, event({ event_id: id(1) }))
    expect(await counts()).toEqual(Array(3).fill(['HIT', 0]))
    const purged = await weir('--website', websites[0], '--website', websites[1].toUpperCase())
    expect(purged).toMatchObject({ code: 0, stderr: '' })
    vi.setSystemTime(now + 10_000)
    expect(await counts()).toEqual([
      ['MISS', 1],
      ['MISS', 1],
      ['HIT', 0],
    ])
    const { stdout } = await weir('--website', websites[2], '--sql')
    await metadata.prepare(stdout.trim()).run()
    vi.setSystemTime(now + 20_000)
    expect((await counts())[2]).toEqual(['MISS', 1])
  })

  it('refuses unknown websites', async () => {
    expect(await weir()).toMatchObject({ code: 2, stderr: expect.stringContaining('--website UUID is missing.') })
    const unknown = randomUUID()
    expect(await weir('--website', unknown)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no website ${unknown}.`),
    })
  })
})
