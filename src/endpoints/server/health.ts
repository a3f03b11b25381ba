import * as z from 'zod'
import { Done, done } from '../answers.ts'
import { action } from '../endpoint.ts'

/** `missing`: tables of this version that the replica lacks, each with its remedy. `asOf`: as `X-As-Of`. */
const ReadyReplica = () =>
  z.object({
    name: z.string(),
    state: z.enum(['ready', 'failing']),
    missing: z.array(z.string()).optional(),
    asOf: z.iso.datetime().optional(),
  })

/**
 * `waiting`: rows of collected events that ClickHouse does not have yet. `oldest`: when the first of them arrived.
 * `failure`: why the last insert failed.
 */
const ReadyLog = () =>
  z.object({
    name: z.string(),
    state: z.enum(['ready', 'failing']),
    waiting: z.number().int().optional(),
    oldest: z.iso.datetime({ precision: 3 }).optional(),
    failure: z.string().optional(),
  })

/** Operators get every field, others only `ok`. */
const Ready = () =>
  z.object({
    ok: z.literal(true),
    d1: z.literal('ready').optional(),
    replicas: z.array(ReadyReplica()).optional(),
    logs: z.array(ReadyLog()).optional(),
  })

export const health = action({
  name: 'health',
  path: '/health',
  summary: 'Shows that the Worker answers. It asks neither ClickHouse nor D1.',
  access: { to: 'anyone' },
  answer: Done,
  run: async () => done,
})

export const ready = action({
  name: 'ready',
  path: '/ready',
  summary:
    'Shows whether D1 and every ClickHouse table can be read, and whether collection works. The answer is at most a ' +
    'second old. An admin also sees the state of each replica and log; a wrong credential counts as none.',
  access: { to: 'anyone' },
  refuses: ['service-unavailable'],
  answer: Ready,
  async run(_input, { ready }) {
    const known = await ready()
    const told = known && { d1: 'ready' as const, replicas: [...known.replicas], logs: [...known.logs] }
    return { body: { ok: true as const, ...told } }
  },
})

export const heartbeat = action({
  name: 'heartbeat',
  path: '/api/heartbeat',
  summary: 'Answers like /health, under Umami’s path.',
  access: { to: 'anyone' },
  answer: Done,
  run: async () => done,
})
