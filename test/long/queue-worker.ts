import { turnLimits, turns } from '../../src/clickhouse/turns.ts'

const take = turns(turnLimits({ isolate: 4, website: 4 }))
let number = 0

/** A Worker whose requests wait for turns. A request reports whether it still runs in its own context at its turn. */
export default {
  async fetch(): Promise<Response> {
    number++
    const { signal } = new AbortController()
    const asker = { website: `website ${number % 3}`, caller: `caller ${number % 16}`, isOpening: false }
    const end = await take(asker, { time: Date.now, until: Date.now() + 30_000, signal, stay: () => {} })
    try {
      // The signal throws in the context of any other request.
      void signal.aborted
      await new Promise((resolve) => setTimeout(resolve, 5))
      return new Response('own')
    } catch (error) {
      return new Response(String(error), { status: 500 })
    } finally {
      end()
    }
  },
}
