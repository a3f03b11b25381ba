import { buildSync } from 'esbuild'
import { Miniflare } from 'miniflare'
import { expect, it } from 'vitest'
import { root } from '../../src/local/paths.ts'

/**
 * A Worker whose requests wait for turns. Each request reports whether it still runs in its own context at its turn.
 */
const source = `
  import { turnLimits, turns } from './src/clickhouse/turns.ts'
  const take = turns(turnLimits({ isolate: 4, website: 4 }))
  let number = 0
  export default {
    async fetch() {
      number++
      const { signal } = new AbortController()
      const asker = { website: 'website ' + (number % 3), caller: 'caller ' + (number % 16), isOpening: false }
      const end = await take(asker, { time: Date.now, until: Date.now() + 30_000, signal })
      try {
        // The signal throws in the context of any other request.
        signal.aborted
        await new Promise((resolve) => setTimeout(resolve, 5))
        return new Response('own')
      } catch (error) {
        return new Response(String(error), { status: 500 })
      } finally {
        end()
      }
    },
  }`

/** With workerd 1.20260426.1, promises that were settled by another request failed after 17,000 requests. */
const requests = 30_000

it('a statement that has waited in the queue continues in its own request, even in optimised code', async () => {
  const stdin = { contents: source, resolveDir: root, loader: 'ts' } as const
  const script = buildSync({ stdin, bundle: true, format: 'esm', write: false }).outputFiles[0]!.text
  const worker = new Miniflare({ modules: true, script, compatibilityDate: '2026-04-20' })
  try {
    const url = await worker.ready
    const answers = new Map<string, number>()
    let left = requests
    const ask = async () => {
      while (left-- > 0) {
        const answer = await (await fetch(url)).text()
        answers.set(answer, (answers.get(answer) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 50 }, ask))
    expect([...answers]).toEqual([['own', requests]])
  } finally {
    await worker.dispose()
  }
})
