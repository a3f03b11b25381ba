import * as z from 'zod'
import { query } from '../../request/query-string.ts'
import { Done, done } from '../answers.ts'
import { action } from '../endpoint.ts'

/** Operators get all of it, others only `ok`. */
const Ready = () =>
  z.object({
    ok: z.literal(true),
    d1: z.literal('ready').optional(),
    replicas: z.array(z.object({ name: z.string(), state: z.enum(['ready', 'failing']) })).optional(),
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
  summary:
    'Says whether D1 and ClickHouse can be read. The answer is at most a second old. An admin learns the state of each ' +
    'replica, too; a wrong credential counts as none.',
  access: { to: 'anyone' },
  query: query(),
  refuses: ['service-unavailable'],
  answer: Ready,
  async run(_input, { ready }) {
    const replicas = await ready()
    return { body: { ok: true as const, ...(replicas && { d1: 'ready' as const, replicas: [...replicas] }) } }
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
