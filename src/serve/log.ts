import { tryDecodeURIComponent } from 'hono/utils/url'
import { slugsIn } from '../access/credential.ts'
import { withoutQuoted } from '../clickhouse/masked.ts'
import { slug } from '../endpoints/ids.ts'
import type { LogSettings } from '../env.ts'
import { statusOf } from '../errors.ts'
import { fnv1a } from '../fnv.ts'
import { made } from '../made.ts'
import { memo } from '../metadata/memo.ts'

type LogEntry = Readonly<Record<string, string | number | undefined>>

/** The request that a log line is about. */
export interface LoggedRequest {
  readonly requestId: string
  /** The time of the request, in milliseconds since 1970. */
  readonly now: number
  readonly slugs: ReadonlySet<string>
}

/** The endpoint and website of a request. */
interface Subject {
  readonly endpoint: string
  readonly website?: string
}

/** Logs a problem with a request that may still be answered, with its endpoint and website. */
export function log(request: LoggedRequest & { readonly record: Subject }, entry: LogEntry): void {
  const { endpoint, website } = request.record
  logFailure(console.error, request, { endpoint, website, ...entry })
}

/**
 * Logs a line about a request. Our own failures and questions for too much data are always logged. If `settings`
 * enables logging of requests, other refusals and a share of the successes are logged too. The sample depends on the
 * request's id, so that of the lines with the same id, either all are logged or none.
 */
export function logRequest(
  request: LoggedRequest,
  settings: LogSettings | undefined,
  status: number,
  entry: () => LogEntry,
): void {
  if (status >= 500 || status === statusOf['too-much-data']) logFailure(console.error, request, entry())
  else if (!settings) return
  else if (status >= 400) logFailure(console.warn, request, entry())
  else if (isSampled(request.requestId, settings.successes)) write(console.log, request, entry())
}

/** Whether an id belongs to the sample, according to its hash: FNV-1a, followed by the last steps of MurmurHash3. */
function isSampled(id: string, share: number): boolean {
  let hash = fnv1a(id)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0 < share * 2 ** 32
}

type Writer = (text: string) => void

const write = (writer: Writer, { requestId, now }: LoggedRequest, entry: object): void =>
  writer(JSON.stringify({ time: new Date(now).toISOString(), requestId, ...entry }))

/**
 * Logs a failure with the id of its request. Masks slugs and quoted strings in every field: a share's slug is a
 * credential, and a quoted string may be a filter's value. Repeated failures are aggregated.
 */
function logFailure(writer: Writer, request: LoggedRequest, entry: LogEntry): void {
  const { requestId, slugs, now } = request
  const masked: LogEntry = Object.fromEntries(
    Object.entries(entry).map(([name, field]) => [
      name,
      typeof field === 'string' ? without(slugs, withoutQuoted(field)) : field,
    ]),
  )
  const failure = failures.get(failureName(masked), now)
  if (!failure) {
    failures.keeper()(failureName(masked), { times: 1, requestIds: [] }, now + summedUpFor)
    write(writer, request, masked)
    return
  }
  failure.times++
  failure.requestIds = [...failure.requestIds, requestId].slice(-maxNamedRequests)
  if (!Number.isInteger(Math.log2(failure.times))) return
  const { stack: _, ...rest } = masked
  const { times, requestIds } = failure
  failure.requestIds = []
  write(writer, request, { ...rest, times, requestIds })
}

/** A recurring failure, with its count and the requests since its last log line. */
interface Failure {
  times: number
  requestIds: string[]
}

/**
 * How long repeated failures are aggregated after the first log line, in milliseconds. The next failure after that gets
 * a full line again.
 */
const summedUpFor = 10_000

/** The maximum number of requests listed in a line. The most recent ones are listed. */
const maxNamedRequests = 20

const failures = memo<Failure>(200)

/**
 * A name for a failure, which is the same for failures that differ only in numbers, ids, or the references that workerd
 * adds to its own errors.
 */
const failureName = ({ stack: _, ...entry }: LogEntry): string =>
  JSON.stringify(Object.values(entry).filter((field) => typeof field === 'string'))
    .slice(0, 2000)
    .replace(/reference = \w+|[\da-f-]/gi, '')

/** The slugs in a URL, whether in its path or as the credential in its query string. */
export function slugsInUrl(url: URL): string[] {
  const [, inPath = ''] = /^(?:(?:\/api)?\/share\/(?!id\/)|\/badge\/)([^/]+)/.exec(url.pathname) ?? []
  const named = tryDecodeURIComponent(inPath)
  return [named, named.replace(/\.svg$/, ''), ...slugsIn(url)].filter(isSlug)
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

const isSlug = (text: string | null | undefined): text is string => Boolean(text) && made(slug).safeParse(text).success

/** Masks slugs in a string. A slug may be a single letter, so it is not masked inside a longer word. */
const without = (slugs: ReadonlySet<string>, text: string): string =>
  [...slugs].reduce(
    (rest, one) => rest.replace(new RegExp(`(?<!\\w)${one.replace(/[.~-]/g, '\\$&')}(?!\\w)`, 'g'), '…'),
    text,
  )
