import type { Answer } from '../endpoints/endpoint.ts'
import { sha256 } from '../sha256.ts'

/** What an answer says beside its body, which becomes headers. */
export type Told = Omit<Answer<unknown>, 'body'>

/** An answer as it is kept, the same for all who may see it. */
export interface Kept {
  /** JSON in UTF-8. */
  readonly body: Uint8Array<ArrayBuffer>
  readonly told: Told
  /** A strong validator of `body` and `told`, quotes included. */
  readonly etag: string
  /** When the question was asked that it answers, in milliseconds since 1970. */
  readonly madeAt: number
}

export async function keep(body: unknown, told: Told, madeAt: number): Promise<Kept> {
  const [json, encoder] = [JSON.stringify(body), new TextEncoder()]
  const etag = `"${(await sha256(encoder.encode(JSON.stringify(told) + json))).slice(0, 32)}"`
  return { body: encoder.encode(json), told, etag, madeAt }
}

/** Whether `If-None-Match` names this validator: a list of them, weak ones too, or `*` for any. */
export const isNamed = (etag: string, ifNoneMatch: string | null | undefined): boolean =>
  ifNoneMatch != null && (ifNoneMatch.trim() === '*' || (ifNoneMatch.match(/"[^"]*"/g)?.includes(etag) ?? false))
