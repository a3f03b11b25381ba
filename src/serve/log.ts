import { tryDecodeURIComponent } from 'hono/utils/url'
import { slug } from '../endpoints/endpoint.ts'
import type { Exchange } from './exchange.ts'

/**
 * Writes what went wrong with a request into the log, under its id. The slug of a share opens it and goes into no log,
 * whatever text it stands in.
 */
export function log(
  { requestId, slugs }: Pick<Exchange, 'requestId' | 'slugs'>,
  entry: Readonly<Record<string, string | undefined>>,
): void {
  const masked = Object.entries(entry).map(([name, text]) => [name, text && without(slugs, text)])
  console.error(JSON.stringify({ requestId, ...Object.fromEntries(masked) }))
}

/** The slugs in a URL: in its path, and as the credential in its query string. */
export function slugsInUrl({ pathname, searchParams }: URL): string[] {
  const [, inPath = ''] = /^\/api\/share\/(?!id\/)([^/]+)/.exec(pathname) ?? []
  return [tryDecodeURIComponent(inPath), ...searchParams.getAll('share')].filter(isSlug)
}

/** Where the bodies of the endpoints hold slugs. */
interface Body {
  readonly slug?: string
  readonly shareId?: string | null
  readonly paths?: readonly string[]
}

export function slugsInBody({ slug, shareId, paths = [] }: Body): string[] {
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
