import * as z from 'zod'
import { query } from '../../request/query-string.ts'
import { Done, done } from '../answers.ts'
import { action } from '../endpoint.ts'

const Ready = () =>
  z.object({
    ok: z.literal(true),
    d1: z.literal('ready'),
    replicas: z.array(z.object({ name: z.string(), state: z.enum(['ready', 'failing']) })),
  })

export const health = action({
  name: 'health',
  method: 'get',
  path: '/health',
  summary: 'Shows that the Worker answers. It asks neither ClickHouse nor D1.',
  access: { to: 'anyone' },
  query: query(),
  answer: Done,
  run: async () => done,
})

export const ready = action({
  name: 'ready',
  method: 'get',
  path: '/ready',
  summary: 'Says whether D1 and each replica of ClickHouse can be read. The answer is at most a second old.',
  access: { to: 'anyone' },
  query: query(),
  refuses: ['service-unavailable'],
  answer: Ready,
  run: async (_input, { ready }) => ({
    body: { ok: true as const, d1: 'ready' as const, replicas: [...(await ready())] },
  }),
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
