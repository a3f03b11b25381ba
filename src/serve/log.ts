import { tryDecodeURIComponent } from 'hono/utils/url'
import { slug } from '../endpoints/ids.ts'
import { made } from '../made.ts'
import { memo } from '../metadata/memo.ts'
import type { Exchange } from './exchange.ts'

type LogEntry = Readonly<Record<string, string | undefined>>

/**
 * Logs a failure under the id of its request. A share's slug is a credential, so it is masked in every text. Repeated
 * failures are summed up.
 */
export function log({ requestId, slugs, now }: Pick<Exchange, 'requestId' | 'slugs' | 'now'>, entry: LogEntry): void {
  const masked: LogEntry = Object.fromEntries(
    Object.entries(entry).map(([name, text]) => [name, text && without(slugs, text)]),
  )
  const failure = failures.get(failureName(masked), now)
  if (!failure) {
    failures.keeper()(failureName(masked), { times: 1, requestIds: [] }, now + summedUpFor)
    console.error(JSON.stringify({ requestId, ...masked }))
    return
  }
  failure.times++
  failure.requestIds = [...failure.requestIds, requestId].slice(-maxNamedRequests)
  if (!Number.isInteger(Math.log2(failure.times))) return
  const { stack: _, ...rest } = masked
  const { times, requestIds } = failure
  failure.requestIds = []
  console.error(JSON.stringify({ requestId, ...rest, times, requestIds }))
}

/** A recurring failure: its count, and the requests since its last line. */
interface Failure {
  times: number
  requestIds: string[]
}

/** How long a failure is summed up after its first line, in milliseconds. Then the next one gets a full line. */
const summedUpFor = 10_000

/** The most requests that a line names: the latest ones. */
const maxNamedRequests = 20

const failures = memo<Failure>(200)

/** Equal for failures that differ only in numbers and ids. */
const failureName = ({ stack: _, ...entry }: LogEntry): string =>
  JSON.stringify(entry)
    .slice(0, 2000)
    .replace(/[\da-f-]/gi, '')

/** The slugs in a URL, in its path and as the credential in its query string. */
export function slugsInUrl({ pathname, searchParams }: URL): string[] {
  const [, inPath = ''] = /^(?:\/api)?\/share\/(?!id\/)([^/]+)/.exec(pathname) ?? []
  return [tryDecodeURIComponent(inPath), ...searchParams.getAll('share')].filter(isSlug)
}

/** The fields of request bodies that contain slugs. */
interface SlugFields {
  readonly slug?: string
  readonly shareId?: string | null
  readonly paths?: readonly string[]
}

export function slugsInBody({ slug, shareId, paths = [] }: SlugFields): string[] {
  const inPaths = paths.flatMap((path) => slugsInUrl(new URL(path, 'https://path.invalid')))
  return [...inPaths, ...[slug, shareId].filter(isSlug)]
}

const isSlug = (text: string | null | undefined): text is string => made(slug).safeParse(text).success

/** A slug may be a single letter, so a slug within a longer word is not masked. */
const without = (slugs: ReadonlySet<string>, text: string): string =>
  [...slugs].reduce(
    (rest, one) => rest.replace(new RegExp(`(?<!\\w)${one.replace(/[.~-]/g, '\\$&')}(?!\\w)`, 'g'), '…'),
    text,
  )
