import { expect } from 'vitest'
import { asked } from './asked.ts'
import { type Headers, operator } from './callers.ts'
import { describedIn } from './openapi.ts'
import { running } from './weir.ts'

/** One answer within a batch's answer. */
export interface InBatch {
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: tests compare bodies whole, or reach into what they just checked
  readonly body: any
}

export interface Batch {
  readonly headers: globalThis.Headers
  readonly text: string
  readonly answers: readonly InBatch[]
}

export const batchInit = (paths: unknown, headers: Headers): RequestInit => ({
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify({ paths }),
})

/**
 * Requests these paths in one batch, and asserts a 200. Each answer in it is also checked against the OpenAPI
 * document, as if it had been returned individually.
 */
export async function batch(
  paths: readonly string[],
  headers: Headers = operator,
  { url = running.url, query = '' }: { url?: string; query?: string } = {},
): Promise<Batch> {
  const response = await asked(`${url}/api/read${query}`, batchInit(paths, headers))
  const { text } = response
  expect([response.status, text.slice(0, 300)]).toEqual([200, expect.stringContaining('{"answers":[{"path":')])
  const body = JSON.parse(text)
  await describedIn('POST', '/api/read', 200, body)
  expect(body.answers.map(({ path }: InBatch) => path)).toEqual(paths)
  for (const answer of body.answers) await describedIn('GET', answer.path, answer.status, answer.body)
  return { headers: response.headers, text, answers: body.answers }
}

export const statuses = ({ answers }: Batch): number[] => answers.map(({ status }) => status)

/** Whether a header belongs to the answer itself, rather than to its transport, time or cache status. */
const ofTheAnswer = (name: string): boolean =>
  !/^(access-control-.*|cache-control|connection|content-.*|date|keep-alive|transfer-encoding|vary|x-content-type-options|x-request-id|age|x-cache|server-timing)$/.test(
    name,
  )

/** The answer to a GET of this path, in the form used in batches. */
export async function alone(
  path: string,
  headers: Headers = operator,
  url = running.url,
): Promise<InBatch & { text: string }> {
  const response = await asked(url + path, { headers })
  const { text } = response
  const own = [...response.headers].filter(([name]) => ofTheAnswer(name))
  return { path, status: response.status, headers: Object.fromEntries(own), body: JSON.parse(text), text }
}

/**
 * The answer without its request id, which all answers in the batch share, and without values that always differ.
 */
export function comparable({ path, status, headers, body }: InBatch): object {
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => ofTheAnswer(name) && name !== 'x-as-of'))
  const error = body?.error && { ...body.error, requestId: '' }
  return { path, status, headers: own, body: error ? { ...body, error } : body }
}
