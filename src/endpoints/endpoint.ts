import * as z from 'zod'
import type { Secret } from '../access/limits.ts'
import { sections as allSections, type Section } from '../access/opening.ts'
import type { Access, Grant } from '../access/permit.ts'
import type { WebsiteRight } from '../access/rights.ts'
import type { Tokens } from '../access/tokens.ts'
import type { AnswerHeaders } from '../cache/stored.ts'
import type { ErrorCode } from '../errors.ts'
import type { Holder } from '../metadata/lookup.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Website } from '../metadata/websites.ts'
import type { ExportWriter } from '../query/list.ts'
import type { Scope } from '../query/scope.ts'
import type { Fragment, Plan, Results } from '../query/sql.ts'
import { commonGroups } from '../request/common.ts'
import type { Query } from '../request/query-string.ts'
import type { Example } from './examples.ts'

/** Any 8-4-4-4-12 hexadecimal id, in either case; answered in lower case. */
export const id = z
  .guid({ error: 'Must be an id of the form 8-4-4-4-12, in hexadecimal digits.' })
  .transform((text) => text.toLowerCase())

/** The name of a share in its link. */
export const slug = z
  .string()
  .regex(/^(?!\.\.?$)[\w.~-]{1,100}$/, { error: 'Must be 1 to 100 letters, digits, and - _ . ~' })

/** The same for a share that does not have it yet: a short one could be guessed. */
export const newSlug = z.string().regex(/^[\w.~-]{8,100}$/, { error: 'Must be 8 to 100 letters, digits, and - _ . ~' })

/** What a report answers: its JSON, and what goes into headers beside it. */
export interface Answer<Body> extends AnswerHeaders {
  readonly body: Body
}

/** An answer whose JSON comes piece by piece. */
export interface StreamedAnswer {
  readonly stream: ReadableStream<Uint8Array>
}

/** Names of the ids in a path: `/websites/:websiteId/event-data/:eventId` has `websiteId` and `eventId`. */
type IdNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | IdNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The ids of the path, beside what was read of the query string and the body. */
type WithIds<Input, Path extends string> = Input & { readonly [Name in IdNames<Path>]: string }

interface EndpointDeclaration<Path extends string = string> {
  /** The operation id of the OpenAPI document; those of the official client where it has the operation. */
  readonly name: string
  readonly path: Path
  readonly summary: string
}

/** What an export is made of: the input, its page or slice widened to all there is, and the plan for that. */
export interface ExportInput<Input, Rows> extends ExportWriter {
  readonly input: Input
  readonly plan: Plan<Rows>
}

/** Its types are erased: with them, those of the rows would be inferred from it. */
export type Export = (given: ExportInput<never, never>) => Fragment

/** The parts of the API of which one has to be open to a caller without a right of their own; which, may depend on the input. */
export type Sections<Input = never> = readonly Section[] | ((input: Input) => readonly Section[])

/** Reads events: statements composed by `plan` run together, `shape` turns their rows into the answer. Both are pure. */
export interface Report<Input = never, Rows = never, Body = unknown> extends EndpointDeclaration {
  readonly kind: 'report'
  readonly method: 'get'
  readonly access: Extract<Access, { to: 'website' }> & { readonly sections: readonly Section[] }
  /** Those that are open for this input, where that depends on it. */
  readonly sectionsOf: ((input: Input) => readonly Section[]) | undefined
  readonly example: Example
  readonly query: Query<unknown>
  readonly answer: z.ZodType<Body>
  readonly plan: (input: Input, scope: Scope) => Plan<Rows>
  readonly shape: (results: Results<Rows>, input: Input) => Answer<Body>
  /** The statement of the whole list, a column for each field of its items; a report without it answers JSON only. */
  readonly export?: Export
}

/** Any report, its types erased: what the list holds. `serve` feeds each one only what it declared itself. */
export type AnyReport = Report<never, Record<string, unknown>>

export function report<const Path extends string, Input, Rows extends Record<string, unknown>, Body>(
  declared: EndpointDeclaration<Path> & {
    readonly sections: Sections<WithIds<Input, Path>>
    readonly example: Example
    readonly query: Query<Input>
    readonly answer: z.ZodType<Body>
    readonly plan: (input: WithIds<Input, Path>, scope: Scope) => Plan<Rows>
    readonly shape: (results: Results<Rows>, input: WithIds<Input, Path>) => Answer<NoInfer<Body>>
    readonly export?: Export
  },
): AnyReport & { readonly answer: z.ZodType<Body> } {
  const { answer, sections, ...rest } = declared
  const isFixed = typeof sections !== 'function'
  const access = { to: 'website', right: 'view', sections: isFixed ? sections : allSections } as const
  const sectionsOf = isFixed ? undefined : sections
  const query = declared.query.beside(...commonGroups)
  return { ...(rest as unknown as AnyReport), answer, kind: 'report', method: 'get', access, sectionsOf, query }
}

/** What an action is handed beside its input. */
export interface Context {
  /** Undefined for a caller without a credential, where one is not needed. */
  readonly holder: Holder | undefined
  /** By what right the caller is here. */
  readonly grant: Grant
  readonly metadata: Metadata
  /** Makes and reads signed tokens. */
  readonly tokens: Tokens
  /** The website of the path, which the caller may see; there for every path that has a `websiteId`. */
  readonly website?: Website
  /** Counts an attempt at a secret, before it is made: 429 where there were too many. */
  readonly attempt: (secret: Secret) => Promise<void>
  /** Refuses a request that comes from none of these origins. */
  readonly admit: (origins: readonly string[] | undefined) => void
  /** A website that the path does not name, if the caller has this right to it. */
  readonly reach: (websiteId: string, right: WebsiteRight) => Promise<Website | undefined>
  /** What the API answers to a GET of this path by the same caller. */
  readonly ask: (path: string) => Promise<Response>
  /** Refuses where D1 or ClickHouse cannot be read. */
  readonly ready: () => Promise<void>
  /** The moment of the request, in milliseconds since 1970. */
  readonly now: number
}

/** Reads or changes metadata; never cached. */
export interface Action<Input = never, Body = unknown> extends EndpointDeclaration {
  readonly kind: 'action'
  readonly method: 'get' | 'post' | 'delete'
  readonly access: Access
  readonly query: Query<unknown>
  readonly body?: z.ZodType
  /** What it refuses with beside what every endpoint does. */
  readonly refuses?: readonly ErrorCode[]
  readonly answer: z.ZodType<Body>
  readonly run: (input: Input, context: Context) => Promise<Answer<Body> | StreamedAnswer>
}

export type AnyAction = Action<never>

export function action<const Path extends string, QueryInput extends object, BodyInput extends object, Body>(
  declared: EndpointDeclaration<Path> & {
    readonly method: 'get' | 'post' | 'delete'
    readonly access: Access
    readonly query: Query<QueryInput>
    readonly body?: z.ZodType<BodyInput>
    readonly refuses?: readonly ErrorCode[]
    readonly answer: z.ZodType<Body>
    readonly run: (
      input: WithIds<QueryInput & BodyInput, Path>,
      context: Context,
    ) => Promise<Answer<NoInfer<Body>> | StreamedAnswer>
  },
): AnyAction & { readonly answer: z.ZodType<Body> } {
  const { answer, method } = declared
  const query = method === 'get' ? declared.query.beside(...commonGroups) : declared.query
  return { ...(declared as unknown as AnyAction), answer, kind: 'action', query }
}

/** The sections that open a report with this input. */
export const sectionsOf = ({ access, sectionsOf }: AnyReport, input: object): readonly Section[] =>
  sectionsOf?.(input as never) ?? access.sections

/** Who may call an endpoint with this input. */
export const accessOf = (endpoint: Endpoint, input: object): Access =>
  endpoint.kind === 'report' ? { ...endpoint.access, sections: sectionsOf(endpoint, input) } : endpoint.access

/** The names of the ids in an endpoint's path; a `slug` is a text of its own kind. */
export const idNames = ({ path }: Endpoint): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

/** What a part of a path may be: `:slug` names a share, everything else is an id. */
export const pathParameter = (name: string): z.ZodType<string> => (name === 'slug' ? slug : id)

export type Endpoint = AnyReport | AnyAction
