/** The settings of a website's recorder. */
interface RecorderSettings {
  readonly replayEnabled: boolean
  readonly heatmapEnabled: boolean
  /** The shares of visits with a replay, and in heatmaps, from 0 to 1. */
  readonly sampleRate: number
  readonly heatmapSampleRate: number
  readonly maskLevel: 'strict' | 'moderate'
  /** In milliseconds. */
  readonly maxDuration: number
  /** A CSS selector, or empty. */
  readonly blockSelector: string
}

const defaults: RecorderSettings = {
  ...{ replayEnabled: false, heatmapEnabled: false, sampleRate: 0.15, heatmapSampleRate: 0.15 },
  ...{ maskLevel: 'moderate', maxDuration: 300_000, blockSelector: '' },
}

/** A website's stored settings, with the defaults of those that it lacks. */
export const recorderSettings = (stored: Partial<RecorderSettings> | null): RecorderSettings => ({
  ...defaults,
  ...stored,
})
