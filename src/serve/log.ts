import { tryDecodeURIComponent } from 'hono/utils/url'
import { slug } from '../endpoints/endpoint.ts'
import { memo } from '../metadata/memo.ts'
import type { Exchange } from './exchange.ts'

type LogEntry = Readonly<Record<string, string | undefined>>

/**
 * Writes what went wrong with a request into the log, under its id. The slug of a share opens it and goes into no log,
 * whatever text it stands in. What goes wrong again is summed up.
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

/** A failure that goes on: how often it came, and the requests since its last line. */
interface Failure {
  times: number
  requestIds: string[]
}

/** How long a failure is summed up after its first line, in milliseconds: then it is told whole again. */
const summedUpFor = 10_000

/** Requests that a line names: the last ones. */
const maxNamedRequests = 20

const failures = memo<Failure>(200)

/** The same for a failure that differs in figures and ids only. */
const failureName = ({ stack: _, ...entry }: LogEntry): string =>
  JSON.stringify(entry)
    .slice(0, 2000)
    .replace(/[\da-f-]/gi, '')

/** The slugs in a URL: in its path, and as the credential in its query string. */
export function slugsInUrl({ pathname, searchParams }: URL): string[] {
  const [, inPath = ''] = /^\/api\/share\/(?!id\/)([^/]+)/.exec(pathname) ?? []
  return [tryDecodeURIComponent(inPath), ...searchParams.getAll('share')].filter(isSlug)
}

/** Where the bodies of the endpoints hold slugs. */
interface SlugFields {
  readonly slug?: string
  readonly shareId?: string | null
  readonly paths?: readonly string[]
}

export function slugsInBody({ slug, shareId, paths = [] }: SlugFields): string[] {
  const inPaths = paths.flatMap((path) => slugsInUrl(new URL(path, 'https://path.invalid')))
  return [...inPaths, ...[slug, shareId].filter(isSlug)]
}

const isSlug = (text: string | null | undefined): text is string => slug.safeParse(text).success

/** A slug may be as short as a letter: within a longer word it is none. */
const without = (slugs: ReadonlySet<string>, text: string): string =>
  [...slugs].reduce(
    (rest, one) => rest.replace(new RegExp(`(?<!\\w)${one.replace(/[.~-]/g, '\\$&')}(?!\\w)`, 'g'), '…'),
    text,
  )
