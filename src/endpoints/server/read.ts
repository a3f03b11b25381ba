import * as z from 'zod'
import { query } from '../../request/query-string.ts'
import { batchTerms } from '../../request/terms.ts'
import { atOnce } from '../concurrency.ts'
import { type AnyAction, action, type Context, type Endpoint } from '../endpoint.ts'

const readPath = '/api/read'

/** The maximum number of paths in a batch. */
const maxPaths = 20

/** The maximum length of a path with its query string, in characters: the platform's limit for a GET request. */
const maxBatchPathLength = 16_000

/** No further path is requested while this many characters of finished answers wait for an earlier answer. */
const maxHeldCharacters = 4_000_000

const OnePath = () =>
  z.object({
    path: z.string().describe('The path as sent.'),
    status: z.number().int().describe('The status of a separate GET.'),
    headers: z.record(z.string(), z.string()).describe('The headers of this answer, with lower-case names.'),
    body: z.unknown().describe('The JSON of a separate GET, errors included.'),
  })

/** Answers several paths in one request, each like a separate GET. */
export function readEndpoint(others: readonly Endpoint[]): AnyAction {
  return action({
    name: 'read',
    method: 'post',
    path: readPath,
    summary: `Answers up to ${maxPaths} GET paths of this API in one round trip, in order, each with its own status.`,
    access: { to: 'anyone', handsOn: true },
    isUnaudited: true,
    query: query(batchTerms),
    body: () => z.strictObject({ paths: pathsOf(others) }),
    answer: () =>
      z.object({
        answers: z.array(OnePath()),
        asOf: z.iso.datetime().optional().describe('The oldest X-As-Of of the answers; absent if one is unknown.'),
      }),
    async run({ paths }, { ask }) {
      return { stream: streamOf(answerTexts(paths, ask)) }
    },
  })
}

const pathMessage =
  'Must be a path of this API, as in a GET request: starting with /api/, including its query string, ' +
  `percent-encoded, at most ${maxBatchPathLength} characters long.`

/** Matches unambiguous paths: no host, no fragment, no `..` in any encoding. */
const pathPattern = /^\/api\/(?!(?:[^?]*\/)?\.\.?(?:[/?]|$))[\w.~/-]*(?:\?[!"$-[\]-~]*)?$/

function pathsOf(others: readonly Endpoint[]): z.ZodType<string[]> {
  const error = `Must be a list of 1 to ${maxPaths} paths, such as ["/api/websites/…/events?startAt=…&endAt=…"].`
  const isRead = patternOf(others.filter(({ method }) => method === 'get'))
  const isOther = patternOf([{ path: readPath }, ...others])
  const reads = new Set(others.filter(({ method }) => method === 'get').map(({ path }) => path))
  // Without this check, a fixed path that has no GET could match a path with an id.
  const isWritten = patternOf([
    { path: readPath },
    ...others.filter(({ path }) => !path.includes(':') && !reads.has(path)),
  ])
  const one = z
    .string({ error: pathMessage })
    .max(maxBatchPathLength, { error: pathMessage, abort: true })
    .regex(pathPattern, { error: pathMessage, abort: true })
    .refine((text) => (isRead.test(text) && !isWritten.test(text)) || !isOther.test(text), {
      error: 'This path does not answer GET.',
    })
  // Checks the number of paths first: each wrong path adds an issue, and a body may contain many.
  return z.preprocess((given, context) => {
    const isCounted = Array.isArray(given) && given.length > 0 && given.length <= maxPaths
    if (!isCounted && given !== undefined) context.addIssue({ code: 'custom', message: error })
    return given
  }, z.array(one).min(1).max(maxPaths))
}

/** Matches the paths of these endpoints, with any ids and query strings. */
const patternOf = (endpoints: readonly Pick<Endpoint, 'path'>[]): RegExp =>
  new RegExp(`^(?:${endpoints.map((one) => one.path.replace(/:\w+/g, '[^/?]+')).join('|')})(?:\\?|$)`)

/** The text of the whole answer, piece by piece, in the order of the paths. Several paths are answered concurrently. */
async function* answerTexts(paths: readonly string[], ask: Context['ask']): AsyncGenerator<string, void> {
  const begun: Promise<string>[] = []
  const freshness = oldestOf()
  let [running, held] = [0, 0]
  const begin = (): void => {
    while (begun.length < paths.length && running < atOnce && held < maxHeldCharacters) {
      running++
      begun.push(
        answerText(paths[begun.length]!, ask, freshness.add).then((text) => {
          running--
          held += text.length
          begin()
          return text
        }),
      )
    }
  }
  try {
    for (const index of paths.keys()) {
      begin()
      const text = await begun[index]!
      begun[index] = empty
      held -= text.length
      yield (index === 0 ? '{"answers":[' : ',') + text
    }
    const asOf = freshness.oldest()
    yield asOf === undefined ? ']}' : `],"asOf":"${asOf}"}`
  } finally {
    // The reader may have disconnected, so nothing more is started.
    held = maxHeldCharacters
  }
}

const empty = Promise.resolve('')

/** Collects `X-As-Of` of all answers that have a replica. */
function oldestOf() {
  const moments: (string | null)[] = []
  return {
    add({ headers }: Response): void {
      if (headers.has('x-replica')) moments.push(headers.get('x-as-of'))
    },
    /** Undefined unless every answer has a known time. */
    oldest: (): string | undefined => (moments.includes(null) ? undefined : (moments.sort()[0] ?? undefined)),
  }
}

/** One path's answer. Its body is already JSON, so it is copied unchanged. */
async function answerText(path: string, ask: Context['ask'], look: (answer: Response) => void): Promise<string> {
  const answer = await ask(path)
  look(answer)
  const headers = [...answer.headers].filter(([name]) => !headersOfBatch.test(name))
  const described = JSON.stringify({ path, status: answer.status, headers: Object.fromEntries(headers) })
  return `${described.slice(0, -1)},"body":${(await answer.text()) || 'null'}}`
}

/** Headers of the batch response itself. */
const headersOfBatch =
  /^(?:access-control-.*|cache-(?:control|tag)|content-.*|vary|x-content-type-options|x-request-id)$/

/** Streams the texts; each is created after the reader has received the previous one. */
function streamOf(texts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await texts.next()
        if (value === undefined) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: async () => void (await texts.return()),
    },
    { highWaterMark: 0 },
  )
}
