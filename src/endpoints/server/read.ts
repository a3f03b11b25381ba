import * as z from 'zod'
import { query } from '../../request/query-string.ts'
import { type AnyAction, action, type Endpoint } from '../endpoint.ts'

const readPath = '/api/read'

/** The most paths of one batch. */
const maxPaths = 20

/** The longest path with its query string, in characters: what a GET request may have on the platform. */
const maxBatchPathLength = 16_000

/** So many paths of a batch are answered at the same time. The platform opens six connections for a request. */
const atOnce = 6

/** No further path is begun while so many characters wait for an earlier one to be answered. */
const maxHeldCharacters = 4_000_000

const OnePath = z.object({
  path: z.string().describe('As it was asked for.'),
  status: z.number().int().describe('The status that GET alone would have.'),
  headers: z.record(z.string(), z.string()).describe('Headers of this answer alone, their names in lower case.'),
  body: z.unknown().describe('The JSON that GET alone would answer, errors included.'),
})

type AskPath = (path: string) => Promise<Response>

/** Answers paths of the other endpoints, each as GET alone would. */
export function readEndpoint(others: readonly Endpoint[]): AnyAction {
  return action({
    name: 'read',
    method: 'post',
    path: readPath,
    summary: `Answers up to ${maxPaths} GET paths of this API in one round trip, in order, each with a status of its own.`,
    access: { to: 'anyone', handsOn: true },
    query: query(),
    body: z.strictObject({ paths: pathsOf(others) }),
    answer: z.object({ answers: z.array(OnePath) }),
    async run({ paths }, { ask }) {
      return { stream: streamOf(answerTexts(paths, ask)) }
    },
  })
}

const pathMessage = `Must be a path of this API as a GET request has it: from /api/ on, with its query string, percent-encoded, at most ${maxBatchPathLength} characters long.`

/** What fits has one meaning, the one that is checked: no host, no fragment, no `..` however it is written. */
const pathPattern = /^\/api\/(?!(?:[^?]*\/)?\.\.?(?:[/?]|$))[\w.~/-]*(?:\?[!"$-[\]-~]*)?$/

function pathsOf(others: readonly Endpoint[]): z.ZodType<string[]> {
  const error = `Must be a list of 1 to ${maxPaths} paths, such as ["/api/websites/…/events?startAt=…&endAt=…"].`
  const isRead = patternOf(others.filter(({ method }) => method === 'get'))
  const isOther = patternOf([{ path: readPath }, ...others])
  const one = z
    .string({ error: pathMessage })
    .max(maxBatchPathLength, { error: pathMessage, abort: true })
    .regex(pathPattern, { error: pathMessage, abort: true })
    .refine((text) => isRead.test(text) || !isOther.test(text), { error: 'This path is not read with GET.' })
  // Their number first: each path that is wrong is told, and a body has room for many.
  return z.preprocess((given, context) => {
    const isCounted = Array.isArray(given) && given.length > 0 && given.length <= maxPaths
    if (!isCounted && given !== undefined) context.addIssue({ code: 'custom', message: error })
    return given
  }, z.array(one).min(1).max(maxPaths))
}

/** Matches these paths, whatever their ids and query strings. */
const patternOf = (endpoints: readonly Pick<Endpoint, 'path'>[]): RegExp =>
  new RegExp(`^(?:${endpoints.map((one) => one.path.replace(/:\w+/g, '[^/?]+')).join('|')})(?:\\?|$)`)

/** The text of the whole answer in pieces: its paths in order, some of those that follow under way meanwhile. */
async function* answerTexts(paths: readonly string[], ask: AskPath): AsyncGenerator<string, void> {
  const begun: Promise<string>[] = []
  let [running, held] = [0, 0]
  const begin = (): void => {
    while (begun.length < paths.length && running < atOnce && held < maxHeldCharacters) {
      running++
      begun.push(
        answerText(paths[begun.length]!, ask).then((text) => {
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
    yield ']}'
  } finally {
    // Nobody reads on, perhaps: nothing more is begun.
    held = maxHeldCharacters
  }
}

const empty = Promise.resolve('')

/** One answer. Its body is JSON already, and stays as it is. */
async function answerText(path: string, ask: AskPath): Promise<string> {
  const answer = await ask(path)
  const headers = [...answer.headers].filter(([name]) => !headersOfBatch.test(name))
  const described = JSON.stringify({ path, status: answer.status, headers: Object.fromEntries(headers) })
  return `${described.slice(0, -1)},"body":${(await answer.text()) || 'null'}}`
}

/** Headers that the answer of the batch has for all. */
const headersOfBatch = /^(?:access-control-.*|cache-control|content-.*|vary|x-content-type-options|x-request-id)$/

/** Each text is asked for when the one before has been taken. */
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
