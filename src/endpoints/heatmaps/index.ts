import type { Endpoint } from '../endpoint.ts'
import { getHeatmapReport, getWebsiteHeatmaps } from './heatmaps.ts'

export const heatmapEndpoints: readonly Endpoint[] = [getWebsiteHeatmaps, getHeatmapReport]
