import { matchesEtag } from '../cache/stored.ts'
import type { Env } from '../env.ts'
import { sha256 } from '../sha256.ts'
import type { Exchange } from './exchange.ts'
import { textOfFile } from './pages.ts'

/** The default paths. Settings can add others. */
export const sendPath = '/api/send'
export const trackerPath = '/script.js'

/** The part of the tracker that is loaded only if the page's tag enables one of its features. */
export const morePath = '/more.js'

/** The recorder and its second part, which only pages with replays load. */
export const recorderPaths = ['/recorder.js', '/replay.js'] as const

/**
 * The path for the router: the default path instead of one from `COLLECT_API_ENDPOINT` or `TRACKER_SCRIPT_NAME`.
 */
export function unaliased(path: string, { COLLECT_API_ENDPOINT, TRACKER_SCRIPT_NAME }: Partial<Env> = {}): string {
  if (path === rooted(COLLECT_API_ENDPOINT)) return sendPath
  return otherNames(TRACKER_SCRIPT_NAME).includes(path) ? trackerPath : path
}

/** The additional paths of the tracker script. */
const otherNames = (setting = ''): string[] => ['umami.js', ...setting.split(',')].flatMap((name) => rooted(name) ?? [])

/** A path from a setting, which may omit the leading slash; undefined if the setting is empty. */
function rooted(setting: string | undefined): string | undefined {
  const path = setting?.trim()
  return path ? path.replace(/^\/?/, '/') : undefined
}

/** Any page may run the script. Browsers check once a day whether it has changed. */
const headers = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=86400, must-revalidate',
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const

/**
 * Answers with the tracker script, after filling in its names and its target path, which is relative to the folder of
 * the script's path.
 */
export async function answerTracker(exchange: Exchange): Promise<Response> {
  const { env, url } = exchange
  const depth = url.pathname.split('/').length - 2
  const names = [...otherNames(env.TRACKER_SCRIPT_NAME), trackerPath]
  const endpoint = rooted(env.COLLECT_API_ENDPOINT) ?? sendPath
  const text = (await textOfFile(trackerPath, exchange))
    .replace('"/umami.js,/script.js"', () => JSON.stringify(names.join()))
    .replace('"./"', () => JSON.stringify('../'.repeat(depth) || './'))
    .replace('"api/send"', () => JSON.stringify(endpoint.slice(1)))
  return answerScript(text, exchange)
}

/** Answers with a script into which no settings are filled in. */
export const answerPlainScript = async (exchange: Exchange): Promise<Response> =>
  answerScript(await textOfFile(exchange.url.pathname, exchange), exchange)

async function answerScript(text: string, { request, respond }: Exchange): Promise<Response> {
  const etag = `"${(await sha256(new TextEncoder().encode(text))).slice(0, 32)}"`
  return matchesEtag(etag, request.headers.get('if-none-match'))
    ? respond(null, 304, { ...headers, ETag: etag })
    : respond(text, 200, { ...headers, ETag: etag })
}
