import * as z from 'zod'
import { version } from '../../version.ts'
import { action } from '../endpoint.ts'

/** The configuration that Umami's clients read before signing in. */
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
    issuers: z
      .array(z.object({ name: z.string(), button: z.string() }))
      .describe('Where users may sign in, with the button texts.'),
  })

export const config = action({
  name: 'getConfig',
  path: '/api/config',
  summary: 'The configuration that Umami’s clients ask for before sign-in.',
  access: { to: 'anyone' },
  answer: Config,
  run: async (_, { signingIn }) => ({
    body: {
      cloudMode: false,
      privateMode: false,
      telemetryDisabled: true,
      updatesDisabled: true,
      trackerScriptName: null,
      linksUrl: null,
      pixelsUrl: null,
      currentVersion: version,
      issuers: signingIn.issuers().map(({ name, button }) => ({ name, button })),
    } as const,
  }),
})
