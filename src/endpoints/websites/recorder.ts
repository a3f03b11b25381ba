import * as z from 'zod'
import { recorderSettings } from '../../request/recorder-settings.ts'
import { action } from '../endpoint.ts'
import { isRecorded } from './answer.ts'

const Recorder = () =>
  z.union([
    z.object({
      enabled: z.literal(true),
      replayEnabled: z.boolean(),
      heatmapEnabled: z.boolean(),
      sampleRate: z.number(),
      heatmapSampleRate: z.number(),
      maskLevel: z.enum(['strict', 'moderate']),
      maxDuration: z.number().int(),
      blockSelector: z.string(),
    }),
    z.object({ enabled: z.literal(false) }),
  ])

export const getWebsiteRecorderConfig = action({
  name: 'getWebsiteRecorderConfig',
  path: '/api/websites/:websiteId/recorder',
  summary:
    'The settings of the recorder on the website’s pages. Everyone may read them; browsers store them for a minute, other caches for ten seconds.',
  access: { to: 'anyone' },
  refuses: ['service-unavailable'],
  answer: Recorder,
  async run({ websiteId }, { metadata }) {
    const { website } = await metadata.lookUp(undefined, websiteId, 'figures')
    const isEnabled = website !== undefined && isRecorded(website)
    return {
      body: isEnabled
        ? { enabled: true as const, ...recorderSettings(website.replayConfig) }
        : { enabled: false as const },
      cacheControl: 'public, s-maxage=10, max-age=60',
    }
  },
})
