import * as z from 'zod'
import { query } from '../../request/query-string.ts'
import { version } from '../../version.ts'
import { action } from '../endpoint.ts'

/** What clients of Umami ask of a server before they sign in. */
const Config = () =>
  z.object({
    cloudMode: z.literal(false),
    privateMode: z.literal(false),
    telemetryDisabled: z.literal(true),
    updatesDisabled: z.literal(true),
    trackerScriptName: z.null(),
    linksUrl: z.null(),
    pixelsUrl: z.null(),
    currentVersion: z.string(),
  })

export const config = action({
  name: 'getConfig',
  method: 'get',
  path: '/api/config',
  summary: 'What this server is, for clients that serve several kinds.',
  access: { to: 'anyone' },
  query: query(),
  answer: Config,
  run: async () => ({
    body: {
      cloudMode: false,
      privateMode: false,
      telemetryDisabled: true,
      updatesDisabled: true,
      trackerScriptName: null,
      linksUrl: null,
      pixelsUrl: null,
      currentVersion: version,
    } as const,
  }),
})
