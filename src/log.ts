import type { Context } from 'hono'
import { tryDecodeURIComponent } from 'hono/utils/url'
import { slug } from './endpoints/endpoint.ts'
import type { Stages } from './serve.ts'

/**
 * Writes what went wrong with a request into the log, under its id. The slug of a share opens it and goes into no log,
 * whatever text it stands in.
 */
export function log(c: Context<Stages>, entry: Readonly<Record<string, string | undefined>>): void {
  const slugs = slugsOf(c)
  const masked = Object.entries(entry).map(([name, text]) => [name, text && without(slugs, text)])
  console.error(JSON.stringify({ requestId: c.get('requestId'), ...Object.fromEntries(masked) }))
}

/** The slugs that a request holds: in its URL, its body or the paths of a batch, of the share or the website that it is about. */
function slugsOf(c: Context<Stages>): ReadonlySet<string> {
  const { holder, website } = c.var
  const body = (c.req.valid as (target: string) => Body | undefined).call(c.req, 'json')
  const found = [
    ...[c.req.url, ...(body?.paths ?? [])].flatMap((path) => inUrl(new URL(path, c.req.url))),
    ...[body?.slug, body?.shareId, website?.shareId, holder?.kind === 'share' ? holder.slug : undefined],
  ]
  return new Set(found.filter((one) => slug.safeParse(one).success) as string[])
}

/** Where the bodies of the endpoints hold slugs. */
interface Body {
  readonly slug?: string
  readonly shareId?: string | null
  readonly paths?: readonly string[]
}

function inUrl({ pathname, searchParams }: URL): string[] {
  const [, inPath = ''] = /^\/api\/share\/(?!id\/)([^/]+)/.exec(pathname) ?? []
  return [tryDecodeURIComponent(inPath), ...searchParams.getAll('share')]
}

/** A slug may be as short as a letter: within a longer word it is none. */
const without = (slugs: ReadonlySet<string>, text: string): string =>
  [...slugs].reduce(
    (rest, one) => rest.replace(new RegExp(`(?<!\\w)${one.replace(/[.~-]/g, '\\$&')}(?!\\w)`, 'g'), '…'),
    text,
  )
