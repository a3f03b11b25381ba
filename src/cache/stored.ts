import type { Origin } from '../request/need.ts'
import { sha256 } from '../sha256.ts'

/** The parts of an answer that become headers. */
export interface AnswerHeaders {
  /** The cursor to the next page; becomes the `Link` header. */
  readonly next?: string | undefined
  /** The number of rows in the complete list; becomes `X-Total-Count`. */
  readonly total?: number
  /** The field whose count stopped early; becomes `X-Capped`. */
  readonly capped?: string
}

/** A stored answer, the same for every caller who may see it. */
export interface StoredAnswer {
  /** JSON in UTF-8. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: AnswerHeaders
  /** A strong validator of `body` and `headers`, including the quotes. */
  readonly etag: string
  /** The time of the question, in milliseconds since 1970. */
  readonly madeAt: number
  /** The replica that computed the answer, or several separated by commas; becomes `X-Replica`. */
  readonly replica?: string
  /** The answer includes every event inserted before this time; undefined if unknown. Becomes `X-As-Of`. */
  readonly asOf?: number
  /** The origin for the answer's cursor. The validator does not depend on it. */
  readonly origin?: Origin
  /** The maximum number of replicas tried for any of its statements; becomes `X-Tries` in the first response. */
  readonly tries?: number
}

export async function storedAnswer(body: unknown, headers: AnswerHeaders, madeAt: number): Promise<StoredAnswer> {
  const encoder = new TextEncoder()
  const bytes = encoder.encode(JSON.stringify(body))
  // The body may be large, so it is not copied to hash it together with the headers.
  const hash = await sha256(encoder.encode(JSON.stringify(headers) + (await sha256(bytes))))
  return { body: bytes, headers, etag: `"${hash.slice(0, 32)}"`, madeAt }
}

/** Whether `If-None-Match`, a list (with weak validators too) or `*`, matches the validator. */
export const matchesEtag = (etag: string, ifNoneMatch: string | null | undefined): boolean =>
  ifNoneMatch != null && (ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false))
