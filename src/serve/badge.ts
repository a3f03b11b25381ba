import * as z from 'zod'
import { openingOfShare } from '../access/opening.ts'
import { matchesEtag } from '../cache/stored.ts'
import { slug as slugSchema } from '../endpoints/ids.ts'
import { ApiError, invalid, refusalOf } from '../errors.ts'
import { made } from '../made.ts'
import type { ShareHolder } from '../metadata/holder.ts'
import { shareTypes } from '../metadata/shares.ts'
import { sha256 } from '../sha256.ts'
import { lookUpGuess } from './charge.ts'
import type { Exchange } from './exchange.ts'

/** Any page may embed the image, because it runs no code and loads nothing. */
const headers = {
  'Content-Type': 'image/svg+xml',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // The share may be revoked at any time, and the path is a credential.
  'Cache-Control': 'private, no-cache',
} as const

/**
 * Answers `/badge/<slug>.svg` with the number of visitors in the last 30 UTC days, including today, as the share shows
 * it.
 */
export async function answerBadge(exchange: Exchange): Promise<Response> {
  const { request, url, param, respond } = exchange
  const label = labelIn(url.searchParams)
  const visitors = await visitorsOf(param('file'), exchange)
  const image = badge(label, visitors.toLocaleString('en'))
  const etag = `"${(await sha256(new TextEncoder().encode(image))).slice(0, 32)}"`
  return matchesEtag(etag, request.headers.get('if-none-match'))
    ? respond(null, 304, { ...headers, ETag: etag })
    : respond(image, 200, { ...headers, ETag: etag })
}

const longestLabel = 40
const wrongLabel = `Must be a text of 1 to ${longestLabel} characters, without control characters.`

const BadgeQuery = () =>
  z.strictObject(
    {
      label: z
        .array(
          z
            .string()
            .min(1, { error: wrongLabel, abort: true })
            .max(longestLabel, { error: wrongLabel, abort: true })
            .regex(/^[^\p{Cc}\p{Cs}\p{Cn}]+$/u, { error: wrongLabel }),
        )
        .max(1, { error: 'Send it once.' })
        .default(['visitors']),
    },
    { error: 'Allowed: label.' },
  )

function labelIn(parameters: URLSearchParams): string {
  const given = Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)]))
  const { data, error } = made(BadgeQuery).safeParse(given)
  if (data) return data.label[0]!
  const named = error.issues.map((issue) => {
    const [name = issue.code === 'unrecognized_keys' ? issue.keys[0]! : ''] = issue.path
    return { path: String(name), message: issue.message }
  })
  throw invalid(named)
}

const noBadge = () => new ApiError('not-found', 'There is no such badge.')

/** Requests the number of visitors through the share, with its filters, limits and cached answers. */
async function visitorsOf(file: string, exchange: Exchange): Promise<number> {
  const { metadata, record, subrequest } = exchange
  const { data: slug } = made(slugSchema).safeParse(/^(.*)\.svg$/.exec(file)?.[1])
  if (slug === undefined) throw noBadge()
  const { holder } = await lookUpGuess(
    () => metadata.lookUp({ kind: 'slug', id: slug }, undefined, 'figures'),
    '/badge/:slug',
    exchange,
  )
  if (holder?.kind !== 'share' || !opensVisitors(holder)) throw noBadge()
  record.caller = 'share'
  record.website = holder.entityId
  const query = new URLSearchParams({ period: 'last_30_days', share: slug })
  const answer = await subrequest(`/api/websites/${holder.entityId}/stats?${query}`)
  if (answer.ok) return ((await answer.json()) as { readonly visitors: number }).visitors
  if ([401, 403, 404].includes(answer.status)) throw noBadge()
  throw await refusalOf(answer)
}

/**
 * Whether the share shows the number of visitors. A board does not, because it has several parts, each with its own
 * number.
 */
const opensVisitors = (share: ShareHolder): boolean =>
  share.shareType !== shareTypes.board && openingOfShare(share).sections.has('overview')

/** The image: a label on grey, followed by a value on green. */
function badge(label: string, value: string): string {
  const [left, right] = [widthOf(label) + 12, widthOf(value) + 12]
  const text = (content: string, middle: number) =>
    `<text x="${middle}" y="14" textLength="${widthOf(content)}" lengthAdjust="spacingAndGlyphs">${escaped(content)}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escaped(`${label}: ${value}`)}">`,
    `<title>${escaped(`${label}: ${value}`)}</title>`,
    `<clipPath id="round"><rect width="${left + right}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#round)"><path fill="#414b52" d="M0 0h${left}v20H0z"/><path fill="#0c6f68" d="M${left} 0h${right}v20H${left}z"/></g>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle">',
    `${text(label, left / 2)}${text(value, left + right / 2)}</g></svg>`,
  ].join('')
}

/** The approximate width of a text in Verdana at 11 pixels. The image stretches the text to this width. */
const widthOf = (text: string): number => [...text].reduce((sum, character) => sum + (character < '\u2e80' ? 7 : 12), 0)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a string for HTML or SVG. */
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!)
