import type { Endpoint } from '../endpoint.ts'
import { getSessionDataPivot } from './pivot.ts'
import { getSessionDataProperties } from './properties.ts'
import {
  getSessionDataArraySeries,
  getSessionDataDateSeries,
  getSessionDataNumericSeries,
  getSessionDataNumericStats,
  getSessionDataPropertySeries,
} from './series.ts'
import { getSessionDataStats } from './stats.ts'
import { getSessionDataValues } from './values.ts'

export const sessionDataEndpoints: readonly Endpoint[] = [
  getSessionDataProperties,
  getSessionDataValues,
  getSessionDataStats,
  getSessionDataPivot,
  getSessionDataPropertySeries,
  getSessionDataArraySeries,
  getSessionDataDateSeries,
  getSessionDataNumericSeries,
  getSessionDataNumericStats,
]
