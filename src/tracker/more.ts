/**
 * The second file of the tracker, `GET /more.js`: how fast the page is, outbound links, downloads, and pages that are
 * missing. Only pages whose tag asks for one of them load it. docs/tracker.md says what counts.
 */

import { watchLinks } from './links.ts'
import type { MoreModule } from './passed.ts'
import { measureSpeed } from './speed.ts'

export const more: MoreModule['more'] = (given) => {
  watchLinks(given)
  return given.setting('performance') === 'true' && !given.isPart ? measureSpeed(given) : undefined
}
