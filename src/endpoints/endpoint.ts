import type * as z from 'zod'
import type { Condition } from '../access/filters.ts'
import type { Secret } from '../access/limits.ts'
import { sections as allSections, type Section } from '../access/opening.ts'
import type { Access, Grant } from '../access/permit.ts'
import type { WebsiteRight } from '../access/rights.ts'
import type { SigningIn } from '../access/signing-in.ts'
import type { Tokens } from '../access/tokens.ts'
import type { AnswerHeaders } from '../cache/stored.ts'
import type { ErrorCode } from '../errors.ts'
import type { Holder } from '../metadata/holder.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { SavedReport } from '../metadata/reports.ts'
import { type Website, websiteKinds } from '../metadata/website.ts'
import type { Scope } from '../query/language/scope.ts'
import type { Fragment } from '../query/language/sql.ts'
import type { Plan, Results } from '../query/language/statement.ts'
import type { ExportWriter } from '../query/lists/list.ts'
import { bodyGroups, commonGroups } from '../request/common.ts'
import { freshness } from '../request/period.ts'
import { type Query, query } from '../request/query-string.ts'
import { reportTerms } from '../request/terms.ts'
import type { Example } from './examples.ts'
import { id, slug } from './ids.ts'
import type { Readiness } from './readiness.ts'
import type { StreamedAnswer, WebsiteReading } from './reading.ts'
import { type FiltersBeside, reportBody } from './report-body.ts'

/** The answer of a report: its JSON, and the values that become headers. */
export interface Answer<Body> extends AnswerHeaders {
  readonly body: Body
}

/** The answer of an action. */
export interface ActionAnswer<Body> extends Answer<Body> {
  /** The number of the next page; becomes the `Link` header. */
  readonly nextPage?: number
  /** The value of `Cache-Control`. Without it, only the caller may store the answer. */
  readonly cacheControl?: string
  /** The value of `Set-Cookie`. */
  readonly cookie?: string
}

/** The names of the ids in a path: `/websites/:websiteId/event-data/:eventId` has `websiteId` and `eventId`. */
type IdNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | IdNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** The ids of the path, together with the values of the query string and the body. */
type WithIds<Input, Path extends string> = Input & { readonly [Name in IdNames<Path>]: string }

interface EndpointDeclaration<Path extends string = string> {
  /** The operation id in OpenAPI; equal to the official client's if it has this operation. */
  readonly name: string
  readonly path: Path
  readonly summary: string
  /** Its own error codes, in addition to those of every endpoint. */
  readonly refuses?: readonly ErrorCode[]
}

/**
 * The input of an export: the request's input with its page or slice widened to the whole list, and the plan for it.
 */
export interface ExportInput<Input, Rows> extends ExportWriter {
  readonly input: Input
  readonly plan: Plan<Rows>
}

/** Erased types: otherwise TypeScript would infer the row type from this parameter. */
type Export = (given: ExportInput<never, never>) => Fragment

/**
 * The sections that open a report to callers without their own right; one open section suffices. They may depend
 * on the input.
 */
type Sections<Input = never> = readonly Section[] | ((input: Input) => readonly Section[])

/** The optional parts of a report's declaration. */
interface ReportOptions<Input> {
  /** The sections that open the report to callers who may not filter; all of its sections if undefined. */
  readonly unfilteredOf?: (input: Input) => readonly Section[]
  /** The conditions that the request sends outside of its filters. */
  readonly conditionsOf?: (given: Partial<Input>) => readonly Condition[]
  /** Whether the report returns session properties. Callers who may not see them get empty lists. */
  readonly showsSessionProperties?: true
  /** Whether the report counts deleted sessions until the purge. By default it excludes them immediately. */
  readonly countsDeleted?: true
  /** The saved report with the id in the path. `inputOf` returns its input, or throws a 404 for another website's. */
  readonly saved?: {
    readonly idName: string
    readonly inputOf: (found: SavedReport | undefined, websiteId: string) => object
  }
  /** How many seconds a cached answer is fresh; overrides the cache lifetimes. */
  readonly lifetime?: number
  /** Whether the answer may be streamed. It is then sent again whenever anything but its `timestamp` changes. */
  readonly isLive?: true
  /** Whether a count may stop early; `X-Capped` then says so. */
  readonly caps?: true
  readonly example: Example
  /** With POST: the name of the report that the path is an alias of. */
  readonly aliasOf?: string
  readonly filtersBeside?: FiltersBeside
  /**
   * The statement of the whole list, with a column for each field of an item. Without it a report answers JSON only.
   */
  readonly export?: Export
}

/**
 * Reads events. `plan` composes the statements, which run together; `shape` turns their rows into the answer. Both are
 * pure. With POST, the body contains the website's id, the filters and the other parameters.
 */
interface Report<Input = never, Rows = never, Body = unknown> extends EndpointDeclaration, ReportOptions<Input> {
  readonly kind: 'report'
  readonly method: 'get' | 'post'
  readonly access: Extract<Access, { to: 'website' }> & { readonly sections: readonly Section[] }
  /** The sections for this input, if they depend on it. */
  readonly sectionsOf: ((input: Input) => readonly Section[]) | undefined
  /** The maximum number of bytes that a statement may use in ClickHouse; the user's limit by default. */
  readonly mostMemory?: number
  readonly query: Query<unknown>
  /** With POST: the schema of the body, which `query` reads. */
  readonly body?: () => z.ZodType
  readonly answer: () => z.ZodType<Body>
  readonly plan: (input: Input, scope: Scope) => Plan<Rows>
  readonly shape: (results: Results<Rows>, input: Input) => Answer<Body> | Promise<Answer<Body>>
}

/** Any report, with its types erased, for the list of endpoints. `serve` passes each report only its own input. */
export type AnyReport = Report<never, Record<string, unknown>>

/** The input of a report, which always contains a website's id. With POST, the id comes from the body. */
type ReportInput<Input, Path extends string> = WithIds<Input, Path> & { readonly websiteId: string }

/**
 * Declares a report.
 *
 * @example
 *   export const getWebsiteViews = report({
 *     name: 'getWebsiteViews', path: '/api/websites/:websiteId/views', summary: 'The number of views.',
 *     sections: ['overview'], example: { query: inRange, events: [pageView] }, query: query(range, filters()),
 *     answer: () => z.object({ views: z.number() }),
 *     plan: (input, scope) => ({ all: counted({ scope, ...input }, { of: 'views', figures: ['views'] }) }),
 *     shape: ({ all }) => ({ body: { views: all.rows[0]!.f_views } }),
 *   })
 */
export function report<const Path extends string, Input, Rows extends Record<string, unknown>, Body>(
  declared: EndpointDeclaration<Path> &
    ReportOptions<ReportInput<Input, Path>> & {
      readonly method?: 'post'
      readonly sections: Sections<ReportInput<Input, Path>>
      /** The parameters of the query string, or of the body; none if undefined. */
      readonly query?: Query<Input>
      readonly answer: () => z.ZodType<Body>
      readonly plan: (input: ReportInput<Input, Path>, scope: Scope) => Plan<Rows>
      readonly shape: (
        results: Results<Rows>,
        input: ReportInput<Input, Path>,
      ) => Answer<NoInfer<Body>> | Promise<Answer<NoInfer<Body>>>
    },
): AnyReport & { readonly answer: () => z.ZodType<Body> } {
  const { answer, sections, method = 'get', query: stated = query(), ...rest } = declared
  const isFixed = typeof sections !== 'function'
  const access = { ...viewAccess, sections: isFixed ? sections : allSections }
  const sectionsOf = isFixed ? undefined : sections
  const isGet = method === 'get'
  const own = stated.with(freshness)
  const known = isGet ? own.with(reportTerms).beside(...commonGroups) : own.beside(...bodyGroups)
  const body = isGet ? {} : { body: reportBody(declared, known as Query<object>) }
  return {
    ...(rest as unknown as AnyReport),
    answer,
    kind: 'report',
    method,
    access,
    sectionsOf,
    query: known,
    ...body,
  }
}

/** A report whose statements keep data of each session, visit or sale in memory: up to 2 GiB each. */
export const analysis: typeof report = (declared) => ({ ...report(declared), mostMemory: 2 * 1024 ** 3 })

/** The request's services that an action receives in addition to its input. */
export interface Context {
  /** Undefined if the endpoint needs no credential and the request has none. */
  readonly holder: Holder | undefined
  /** The grant that admitted the caller. */
  readonly grant: Grant
  readonly metadata: Metadata
  /** Creates and reads signed tokens. */
  readonly tokens: Tokens
  readonly signingIn: SigningIn
  /** The website, link or pixel that the request identifies, which the caller may see. */
  readonly website?: Website
  /** Counts a failed sign-in with this user name in the audit log. */
  readonly failedSignIn: (username: string) => Promise<void>
  /** Counts an attempt at a secret; call it before the attempt. Throws a 429 after too many. */
  readonly attempt: (secret: Secret) => Promise<void>
  /** Throws a 403 unless the request comes from one of these origins. */
  readonly admit: (origins: readonly string[] | undefined) => void
  /** Reads another website, link or pixel; undefined unless the caller has this right to it. */
  readonly reach: (websiteId: string, right: WebsiteRight) => Promise<Website | undefined>
  /** Whether the body contains read-only fields of the record, which the caller may have read long ago. */
  readonly isSentBack: boolean
  /** Sends a GET of this path to the API itself, as the same caller. */
  readonly ask: (path: string) => Promise<Response>
  /** The state of replicas and logs, only for operators. Throws a 503 if D1 cannot be read, or no replica answers. */
  readonly ready: () => Promise<Readiness | undefined>
  /** The outcomes of the website's events in the last hour; `since` is in milliseconds since 1970. */
  readonly collected: () => Promise<{ readonly since: number; readonly counts: ReadonlyMap<string, number> }>
  /** Reads events and recordings; only for an action about a website. */
  readonly reading: () => WebsiteReading
  /** Whether `Accept` prefers this type to JSON. */
  readonly prefers: (type: string) => boolean
  /** The maximum number of objects that the caller may give an owner (`MOST_OWNED`); null for admins: no limit. */
  readonly mostOwned: number | null
  /** The moment of the request, in milliseconds since 1970. */
  readonly now: number
}

/**
 * The record that an action changes. The body may contain all of its fields, so that callers can send back what they
 * read. Fields that the action cannot change are ignored or must be unchanged: `src/serve/returned.ts`.
 */
interface ChangedRecord<Input = never> {
  /** The record with all fields that its GET and its lists return. */
  readonly answer: () => z.ZodType
  /** The record as this caller sees it. Throws the action's error if the caller may not change it. */
  readonly read: (input: Input, context: Context) => object | Promise<object>
}

/** Reads or writes metadata; its answers are never cached. */
interface Action<Input = never, Body = unknown> extends EndpointDeclaration {
  readonly kind: 'action'
  readonly method: 'get' | 'post' | 'put' | 'delete'
  readonly access: Access
  readonly query: Query<unknown>
  readonly body?: () => z.ZodType
  /** For POST at a path that also has a GET: the record there. */
  readonly record?: ChangedRecord
  /** For a POST that changes nothing: an example of the report parameters in its body. */
  readonly reads?: Pick<Example, 'query'>
  /** Omits the action from the audit log: it only reads, starts something that is logged later, or reports progress. */
  readonly isUnaudited?: true
  readonly answer: () => z.ZodType<Body>
  readonly run: (input: Input, context: Context) => Promise<ActionAnswer<Body> | StreamedAnswer>
}

export type AnyAction = Action<never>

/** The right to see or to change the data of a website, link or pixel. */
export const viewAccess = { to: 'website', right: 'view', sections: allSections, kinds: websiteKinds } as const
export const updateAccess = { to: 'website', right: 'update', kinds: websiteKinds } as const

/**
 * Declares an action, which reads or changes metadata.
 *
 * @example export const getMe = action({
 *     name: 'getMe', path: '/api/me', summary: 'Who you are.', access: { to: 'person' },
 *     answer: () => z.object({ id: z.string() }),
 *     run: async (_, { holder }) => ({ body: { id: personOf(holder)!.id } }),
 *   })
 */
export function action<const Path extends string, QueryInput extends object, BodyInput extends object, Body>(
  declared: EndpointDeclaration<Path> & {
    /** GET if undefined. */
    readonly method?: 'post' | 'put' | 'delete'
    readonly access: Access
    /** The parameters of the query string; none if undefined. */
    readonly query?: Query<QueryInput>
    readonly body?: () => z.ZodType<BodyInput>
    readonly record?: ChangedRecord<WithIds<object, Path>>
    readonly reads?: Pick<Example, 'query'>
    readonly isUnaudited?: true
    readonly answer: () => z.ZodType<Body>
    readonly run: (
      input: WithIds<QueryInput & BodyInput, Path>,
      context: Context,
    ) => Promise<ActionAnswer<NoInfer<Body>> | StreamedAnswer>
  },
): AnyAction & { readonly answer: () => z.ZodType<Body> } {
  const { answer, method = 'get', query: own = query(), reads } = declared
  const known = method === 'get' ? own.beside(...commonGroups) : reads ? own.beside(...bodyGroups) : own
  const asked = reads && { body: reportBody(declared, known as Query<object>), example: reads }
  return { ...(declared as unknown as AnyAction), answer, kind: 'action', method, query: known, ...asked }
}

/** The names of the path's parameters. All are ids, except `slug`. */
export const idNames = ({ path }: Endpoint): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)

/** The schema of a path parameter: `:slug` is a share's slug, every other one is an id. */
export const pathParameter = (name: string): (() => z.ZodType<string>) => (name === 'slug' ? slug : id)

export type Endpoint = AnyReport | AnyAction
