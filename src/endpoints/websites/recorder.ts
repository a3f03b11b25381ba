import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { action } from '../endpoint.ts'
import { isRecorded, type ReplayConfig } from './answer.ts'

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

/** The settings with their defaults. */
const recorderAnswer = (settings: ValueOf<typeof ReplayConfig>) => ({
  enabled: true as const,
  replayEnabled: settings.replayEnabled ?? false,
  heatmapEnabled: settings.heatmapEnabled ?? false,
  sampleRate: settings.sampleRate ?? 0.15,
  heatmapSampleRate: settings.heatmapSampleRate ?? 0.15,
  maskLevel: settings.maskLevel ?? ('moderate' as const),
  maxDuration: settings.maxDuration ?? 300_000,
  blockSelector: settings.blockSelector ?? '',
})

export const getWebsiteRecorderConfig = action({
  name: 'getWebsiteRecorderConfig',
  path: '/api/websites/:websiteId/recorder',
  summary:
    'The settings of the recorder on the website’s pages. Everyone may read them; caches store them for a minute.',
  access: { to: 'anyone' },
  refuses: ['service-unavailable'],
  answer: Recorder,
  async run({ websiteId }, { metadata }) {
    const { website } = await metadata.lookUp(undefined, websiteId)
    const isEnabled = website !== undefined && isRecorded(website)
    return {
      body: isEnabled ? recorderAnswer({ ...website.replayConfig }) : { enabled: false as const },
      cacheControl: 'public, max-age=60, stale-while-revalidate=300',
    }
  },
})
