import * as z from 'zod'
import type { Caller } from '../access/caller.ts'
import type { Metadata, Website } from '../metadata/metadata.ts'
import type { Statement } from '../query/sql.ts'
import type { Scope } from '../query/where.ts'
import type { Query } from '../request/query-string.ts'

/** Any 8-4-4-4-12 hexadecimal id, in either case; answered in lower case. */
export const id = z
  .guid({ error: 'Must be an id of the form 8-4-4-4-12, in hexadecimal digits.' })
  .transform((text) => text.toLowerCase())

/** The rows of one statement; `total` is how many there were before its limit. */
export interface Result<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

type Plan<Rows> = { readonly [Name in keyof Rows]: Statement<Rows[Name]> }
type Results<Rows> = { readonly [Name in keyof Rows]: Result<Rows[Name]> }

/** What a report answers: its JSON, and what goes into headers beside it. */
export interface Answer<Body> {
  readonly body: Body
  /** The cursor to the rows after these; becomes the `Link` header. */
  readonly next?: string | undefined
  /** Rows of the whole list; becomes `X-Total-Count`. */
  readonly total?: number
}

/** Names of the ids in a path: `/websites/:websiteId/event-data/:eventId` has `websiteId` and `eventId`. */
type IdNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | IdNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The ids of the path, beside what was read of the query string and the body. */
type WithIds<Input, Path extends string> = Input & { readonly [Name in IdNames<Path>]: string }

interface Declared<Path extends string = string> {
  /** The operation id of the OpenAPI document; those of the official client where it has the operation. */
  readonly name: string
  readonly path: Path
  readonly summary: string
}

/** Reads events: statements composed by `plan` run together, `shape` turns their rows into the answer. Both are pure. */
export interface Report<Input = never, Rows = never, Body = unknown> extends Declared {
  readonly kind: 'report'
  readonly method: 'get'
  readonly access: 'website'
  readonly query: Query<unknown>
  readonly answer: z.ZodType<Body>
  readonly plan: (input: Input, scope: Scope) => Plan<Rows>
  readonly shape: (results: Results<Rows>, input: Input) => Answer<Body>
}

/** Any report, its types erased: what the list holds. `serve.ts` feeds each one only what it declared itself. */
export type AnyReport = Report<never, Record<string, unknown>>

export function report<const Path extends string, Input, Rows extends Record<string, unknown>, Body>(
  declared: Declared<Path> & {
    readonly query: Query<Input>
    readonly answer: z.ZodType<Body>
    readonly plan: (input: WithIds<Input, Path>, scope: Scope) => Plan<Rows>
    readonly shape: (results: Results<Rows>, input: WithIds<Input, Path>) => Answer<NoInfer<Body>>
  },
): AnyReport & { readonly answer: z.ZodType<Body> } {
  const { answer } = declared
  return { ...(declared as unknown as AnyReport), answer, kind: 'report', method: 'get', access: 'website' }
}

/** Who may call an action: anyone, any known caller, a caller who may see the website of the path, an admin. */
export type Access = 'public' | 'known' | 'website' | 'admin'

/** What an action is handed beside its input. */
export interface Context {
  readonly caller: Caller
  readonly metadata: Metadata
  /** The website of the path, which the caller may see; there for every path that has a `websiteId`. */
  readonly website?: Website
  /** The moment of the request, in milliseconds since 1970. */
  readonly now: number
}

/** Reads or changes metadata; never cached. */
export interface Action<Input = never, Body = unknown> extends Declared {
  readonly kind: 'action'
  readonly method: 'get' | 'post' | 'delete'
  readonly access: Access
  readonly query: Query<unknown>
  readonly body?: z.ZodType
  readonly answer: z.ZodType<Body>
  readonly run: (input: Input, context: Context) => Promise<Answer<Body>>
}

export type AnyAction = Action<never>

export function action<const Path extends string, QueryInput extends object, BodyInput extends object, Body>(
  declared: Declared<Path> & {
    readonly method: 'get' | 'post' | 'delete'
    readonly access: Access
    readonly query: Query<QueryInput>
    readonly body?: z.ZodType<BodyInput>
    readonly answer: z.ZodType<Body>
    readonly run: (input: WithIds<QueryInput & BodyInput, Path>, context: Context) => Promise<Answer<NoInfer<Body>>>
  },
): AnyAction & { readonly answer: z.ZodType<Body> } {
  const { answer } = declared
  return { ...(declared as unknown as AnyAction), answer, kind: 'action' }
}

/** The names of the ids in an endpoint's path. */
export const idNames = ({ path }: Endpoint): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

export type Endpoint = AnyReport | AnyAction
