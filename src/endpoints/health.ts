import * as z from 'zod'
import { query } from '../request/query-string.ts'
import { action } from './endpoint.ts'

export const health = action({
  name: 'health',
  method: 'get',
  path: '/health',
  summary: 'Says that the Worker answers; it asks neither ClickHouse nor D1.',
  access: { to: 'anyone' },
  query: query(),
  answer: z.object({ ok: z.literal(true) }),
  run: async () => ({ body: { ok: true as const } }),
})
