// The Worker with a clock that tests set: `POST /test/clock` with milliseconds since 1970 stops it there, and with an
// empty body lets it run again. The Worker and its log objects share an isolate, and so the clock. `POST /test/spread`
// spreads the events of these sources over more objects.
import worker, { EventLog as Log } from './worker.js'

const real = Date.now
Date.now = real

export class EventLog extends Log {
  // An alarm in the past fires immediately, so each commit would be flushed individually.
  async alarm() {}
}

export default {
  ...worker,
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url)
    if (pathname === '/test/spread') {
      const { sources, spread } = await request.json()
      const log = env.COLLECT.get(env.COLLECT.idFromName('log-0'))
      for (const source of sources) await log.spreadOf(source, spread)
      return new Response()
    }
    if (pathname !== '/test/clock') return worker.fetch(request, env, context)
    const moment = await request.text()
    Date.now = moment === '' ? real : () => Number(moment)
    return new Response()
  },
}
