/**
 * The tracker's second file, `GET /more.js`: page speed, outbound links, downloads and missing pages. A page loads it
 * only if its tag enables one of them. See docs/tracker.md.
 */

import { watchLinks } from './links.ts'
import type { MoreModule } from './passed.ts'
import { measureSpeed } from './speed.ts'

export const more: MoreModule['more'] = (given) => {
  watchLinks(given)
  return given.setting('performance') === 'true' && !given.isPart ? measureSpeed(given) : undefined
}
