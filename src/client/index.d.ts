import type { components, operations } from './openapi.d.ts'

export type { components, operations }

/** The name of an operation: `getWebsiteStats`. */
export type OperationId = keyof operations

type Given<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>
type BodyOf<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Body } } }
  ? Body
  : unknown
type ContentsOf<Operation> = Operation extends { responses: { 200: { content: infer Contents } } } ? Contents : never

/** The input of an operation: the fields of its path, query string and body in one object. */
export type Input<Id extends OperationId> = Given<operations[Id]['parameters']['path']> &
  Given<operations[Id]['parameters']['query']> &
  BodyOf<operations[Id]>

/** The response formats of an operation. */
export type Format<Id extends OperationId> = keyof ContentsOf<operations[Id]> & string

/** The JSON answer of an operation. */
export type Answer<Id extends OperationId> = ContentsOf<operations[Id]>['application/json' & Format<Id>]

export interface CallOptions<Accept extends string = 'application/json'> {
  /** The format of the answer. Every format but JSON is returned as a `Response`, which can be read as a stream. */
  readonly accept?: Accept
  /**
   * Milliseconds until the call fails with the code `timeout`. For a `Response`, the limit no longer applies once the
   * answer begins.
   */
  readonly timeout?: number
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

type Call<Id extends OperationId, Arguments extends [input?: Input<Id>]> = <
  Accept extends Format<Id> = 'application/json' & Format<Id>,
>(
  ...given: [...Arguments, options?: CallOptions<Accept>]
) => Promise<Accept extends 'application/json' ? Answer<Id> : Response>

/** A method for each operation. It throws a `WeirError` unless Weir answers with 200. */
export type WeirClient = {
  readonly [Id in keyof operations]: Call<
    Id,
    Record<never, never> extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]
  >
}

export interface WeirOptions {
  /** The address of Weir: `https://weir.example`. */
  readonly url: string
  /** An API key, or a sign-in token. */
  readonly key?: string | undefined
  /** A share's token, as returned by `getShareBySlug`. */
  readonly shareToken?: string | undefined
  /**
   * The slug of a share, or `public` for a public website. Requests for JSON carry it in their URL instead of a
   * credential, so a cache between Weir and its readers may store one answer for all of them. Other formats also need
   * `shareToken`, unless the website is public.
   */
  readonly share?: string | undefined
  /** Additional headers for each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds until a call fails; 30,000 by default. */
  readonly timeout?: number
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
}

type ErrorFields = components['schemas']['Error']['error']

/** Weir refused a request, or did not answer. */
export declare class WeirError extends Error {
  /** The status of the answer; undefined if there was no answer. */
  readonly status: number | undefined
  /**
   * The reason: one of Weir's codes, `timeout`, `unreachable`, or `unknown` if the answer is not Weir's. Later versions
   * may have more codes.
   */
  readonly code: ErrorFields['code'] | 'timeout' | 'unreachable' | 'unknown' | (string & {})
  /** The id of the request, as in Weir's log. */
  readonly requestId: string | undefined
  /** With `bad-request`: the invalid parameters or fields, and the values that each allows. */
  readonly issues: readonly { readonly path: string; readonly message: string }[]
  /** How many seconds to wait before trying again. */
  readonly retryAfter: number | undefined
}

/** Creates a client of Weir: `await weirClient({ url, key }).getWebsiteStats({ websiteId, startAt, endAt })`. */
export declare function weirClient(options: WeirOptions): WeirClient
