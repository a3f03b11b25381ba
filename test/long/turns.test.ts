import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { Miniflare } from 'miniflare'
import { expect, it } from 'vitest'

/** With workerd 1.20260426.1, promises that were settled by another request failed after 17,000 requests. */
const requests = 30_000

it('a statement that has waited in the queue continues in its own request, even in optimised code', async () => {
  const entry = fileURLToPath(new URL('queue-worker.ts', import.meta.url))
  const built = buildSync({ entryPoints: [entry], bundle: true, format: 'esm', write: false })
  const script = built.outputFiles[0]!.text
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
