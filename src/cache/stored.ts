import { sha256 } from '../sha256.ts'

/** What an answer says beside its body, which becomes headers. */
export interface AnswerHeaders {
  /** The cursor to the rows after these; becomes the `Link` header. */
  readonly next?: string | undefined
  /** Rows of the whole list; becomes `X-Total-Count`. */
  readonly total?: number
}

/** An answer as it is kept, the same for all who may see it. */
export interface StoredAnswer {
  /** JSON in UTF-8. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: AnswerHeaders
  /** A strong validator of `body` and `headers`, quotes included. */
  readonly etag: string
  /** When the question was asked that it answers, in milliseconds since 1970. */
  readonly madeAt: number
}

export async function storedAnswer(body: unknown, headers: AnswerHeaders, madeAt: number): Promise<StoredAnswer> {
  const [json, encoder] = [JSON.stringify(body), new TextEncoder()]
  const etag = `"${(await sha256(encoder.encode(JSON.stringify(headers) + json))).slice(0, 32)}"`
  return { body: encoder.encode(json), headers, etag, madeAt }
}

/** Whether `If-None-Match` names this validator: a list of them, weak ones too, or `*` for any. */
export const matchesEtag = (etag: string, ifNoneMatch: string | null | undefined): boolean =>
  ifNoneMatch != null && (ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false))
