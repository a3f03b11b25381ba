// The Worker with a clock that tests can set. `POST /test/clock` with milliseconds since 1970 stops it there, and with
// an empty body lets it run again. The Worker and its log object share an isolate, and therefore the clock.
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
    if (new URL(request.url).pathname !== '/test/clock') return worker.fetch(request, env, context)
    const moment = await request.text()
    Date.now = moment === '' ? real : () => Number(moment)
    return new Response()
  },
}
