import type { PurgedSessions, PurgeSessions } from '../metadata/sessions.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'

/** The function that a request uses to purge sessions; undefined if the server has no purger (`PURGER`). */
export function purgerOf(exchange: Exchange): PurgeSessions | undefined {
  const { PURGER } = exchange.env
  if (!PURGER) return undefined
  return async (websiteId, sessionIds) => {
    try {
      const answer = await fetch(PURGER.url, {
        method: 'POST',
        headers: { authorization: `Bearer ${PURGER.secret}` },
        body: JSON.stringify({ websiteId, sessionIds }),
      })
      const text = await answer.text()
      if (answer.ok) return JSON.parse(text) as PurgedSessions
      log(exchange, { purge: text })
    } catch (error) {
      log(exchange, { purge: String(error) })
    }
    return undefined
  }
}
