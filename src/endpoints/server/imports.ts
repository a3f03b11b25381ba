import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import type { Import } from '../../metadata/imports.ts'
import { Done, done, timeOf, timeOrNull } from '../answers.ts'
import { nameSchema } from '../bodies.ts'
import { action } from '../endpoint.ts'

const sources = ['postgresql', 'clickhouse', 'export'] as const
const states = ['running', 'following', 'finished', 'failed'] as const

/** After this many milliseconds without a report, an import that should be running is considered silent. */
const silentAfter = 60_000

const ImportAnswer = () =>
  z.object({
    id: z.string(),
    source: z.enum(sources),
    state: z.enum(states),
    section: z.string().nullable().describe('What is being read, in words.'),
    rowsDone: z.number().int(),
    rowsTotal: z.number().int().describe('How many rows there will be, as far as that is known.'),
    rate: z.number().describe('Rows per second.'),
    error: z.string().nullable(),
    startedAt: z.string(),
    updatedAt: z.string().describe('When the command last reported.'),
    finishedAt: z.string().nullable(),
    isSilent: z.boolean().describe('It should be running, but has not reported for a minute.'),
  })

const importAnswer = (one: Import, now: number): ValueOf<typeof ImportAnswer> => ({
  ...one,
  startedAt: timeOf(one.startedAt),
  updatedAt: timeOf(one.updatedAt),
  finishedAt: timeOrNull(one.finishedAt),
  isSilent: one.finishedAt === null && now - one.updatedAt > silentAfter,
})

const mostRows = 1e15

/** The maximum lengths of an import's section and error, in characters, and its maximum rate. */
export const importLimits = { section: 200, error: 500, rate: 1e9 } as const

const rowCount = () => {
  const error = `Must be a whole number from 0 to ${mostRows}.`
  return z.int({ error }).min(0, { error }).max(mostRows, { error })
}

const rowRate = () => {
  const error = `Must be a number from 0 to ${importLimits.rate}.`
  return z.number({ error }).min(0, { error }).max(importLimits.rate, { error })
}

const ProgressBody = () =>
  z.strictObject({
    source: z.enum(sources, { error: `Must be one of: ${sources.join(', ')}.` }),
    state: z.enum(states, { error: `Must be one of: ${states.join(', ')}.` }),
    section: nameSchema(importLimits.section).nullish(),
    rowsDone: rowCount(),
    rowsTotal: rowCount(),
    rate: rowRate(),
    error: nameSchema(importLimits.error).nullish(),
  })

export const putImport = action({
  name: 'putImport',
  method: 'put',
  path: '/api/admin/imports/:importId',
  summary: 'Reports the progress of an import. The import command sends it.',
  access: { to: 'admin' },
  isUnaudited: true,
  body: ProgressBody,
  answer: Done,
  async run({ importId, section = null, error = null, ...progress }, { metadata }) {
    await metadata.imports.put(importId, { ...progress, section, error })
    return done
  },
})

export const getImports = action({
  name: 'getImports',
  path: '/api/admin/imports',
  summary: 'The progress of imports, newest first.',
  access: { to: 'admin' },
  answer: () => z.array(ImportAnswer()),
  async run(_, { metadata, now }) {
    return { body: (await metadata.imports.list()).map((one) => importAnswer(one, now)) }
  },
})
