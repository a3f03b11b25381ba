import { query } from '../../request/query-string.ts'
import { Done, done } from '../answers.ts'
import { action } from '../endpoint.ts'

export const health = action({
  name: 'health',
  method: 'get',
  path: '/health',
  summary: 'Says that the Worker answers, without asking ClickHouse or D1.',
  access: { to: 'anyone' },
  query: query(),
  answer: Done,
  run: async () => done,
})

export const ready = action({
  name: 'ready',
  method: 'get',
  path: '/ready',
  summary: 'Says whether D1 and ClickHouse can be read, as found within the last second.',
  access: { to: 'anyone' },
  query: query(),
  refuses: ['service-unavailable'],
  answer: Done,
  async run(_input, { ready }) {
    await ready()
    return done
  },
})

export const heartbeat = action({
  name: 'heartbeat',
  method: 'get',
  path: '/api/heartbeat',
  summary: 'The same as /health, under Umami’s path.',
  access: { to: 'anyone' },
  query: query(),
  answer: Done,
  run: async () => done,
})
