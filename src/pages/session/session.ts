import { type Answer, type WeirClient, weirClient } from '@weir/client'
import { returned } from './issuers.ts'
import { keptToken } from './kept-token.ts'
import { printedPrefix } from './printed-password.ts'
import { reasonOf } from './reason.ts'

/** A user who is signed in. */
export interface Session {
  readonly token: string
  readonly user: Answer<'verify'>
  /** Like `fetch`, but a 401 ends the session, so that the sign-in form appears. */
  readonly fetch: typeof fetch
  /** A client with the user's rights, which uses this `fetch`. */
  readonly client: WeirClient
  /** Whether the user has just signed in with a password that Weir printed. */
  readonly hasPrintedPassword: boolean
  /** Revokes the sign-in, in all tabs and on the server. */
  readonly signOut: () => void
}

export type State =
  | { readonly is: 'unknown' }
  | { readonly is: 'unreadable'; readonly error: unknown }
  | { readonly is: 'out'; readonly reason?: string | undefined }
  /** `reason` says why an issuer refused what the user began there. */
  | { readonly is: 'in'; readonly session: Session; readonly reason: string | undefined }

/** Called at each change. */
export type Tell = (state: State) => void

const url = location.origin

/**
 * The token of the last session in this document. Parts of the page still contain data that only that user may see.
 */
let shown: string | undefined

function connected(token: string, tell: Tell): Pick<Session, 'token' | 'fetch' | 'client'> {
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    // In the meantime, the user may have signed in in another tab.
    if (response.status === 401 && keptToken.read() === token) {
      keptToken.forget()
      tell({ is: 'out', reason: 'Your sign-in has ended. Please sign in again.' })
    }
    if (response.status === 403 && location.pathname !== '/account') await leaveForSetUp(response.clone())
    return response
  }
  return { token, fetch: watched, client: weirClient({ url, key: token, fetch: watched }) }
}

/** Goes to the account page if the user must set up a second factor before anything else. */
async function leaveForSetUp(refusal: Response): Promise<void> {
  // A proxy in front of Weir may answer anything.
  const answer: { readonly error?: { readonly code?: string } } | null = await refusal.json().catch(() => null)
  if (answer?.error?.code === 'two-factor-required') location.assign('/account')
}

function sessionOf(token: string, user: Session['user'], tell: Tell, hasPrintedPassword = false): Session {
  shown = token
  return { ...connected(token, tell), user, hasPrintedPassword, signOut: () => end(token, tell) }
}

/**
 * Deletes the stored token, and revokes it on the server and at its issuer. If the server cannot be reached, the token
 * expires within a week.
 */
function end(token: string, tell: Tell): void {
  keptToken.forget()
  tell({ is: 'out' })
  weirClient({ url, key: token })
    .logout()
    .then(
      ({ url: atIssuer }) => atIssuer && location.assign(atIssuer),
      () => undefined,
    )
}

/** Signs in with the stored token, if any. `reason`: why another sign-in was refused. */
export async function resume(tell: Tell, reason?: string): Promise<void> {
  const token = keptToken.read()
  if (token === null) return tell({ is: 'out', reason })
  tell({ is: 'unknown' })
  try {
    const user = await connected(token, tell).client.verify()
    if (keptToken.read() === token) tell({ is: 'in', session: sessionOf(token, user, tell), reason })
  } catch (error) {
    if (keptToken.read() === token) tell({ is: 'unreadable', error })
  }
}

/** The second step of a sign-in, with a code from an app or a backup code. */
export type SecondStep = (code: string) => Promise<void>

/** Signs in with a password. Throws if the server refuses. Returns the second step, if one is needed. */
export async function signIn(username: string, password: string, tell: Tell): Promise<SecondStep | undefined> {
  const hasPrinted = password.startsWith(printedPrefix)
  const first = await weirClient({ url }).login({ username, password })
  if (!('requiresTwoFactor' in first)) return enter(first, tell, hasPrinted)
  const client = weirClient({ url, key: first.partialToken })
  return async (token) => enter(await client.verifyTwoFactor({ token }), tell, hasPrinted)
}

/** Starts a session from the server's answer to a sign-in. */
function enter({ token, user }: Answer<'verifyTwoFactor'>, tell: Tell, hasPrinted = false): undefined {
  keptToken.keep(token)
  if (shown !== undefined) return location.reload() as undefined
  tell({ is: 'in', session: sessionOf(token, user, tell, hasPrinted), reason: undefined })
}

/** If the browser has just come back from an issuer, completes that sign-in; otherwise uses the stored token. */
async function comeBack(tell: Tell): Promise<void> {
  const back = returned()
  if (!back) return resume(tell)
  if ('failed' in back) return resume(tell, back.failed)
  try {
    const answer = await weirClient({ url, key: back.code }).sso()
    if (back.path === location.pathname + location.search) return enter(answer, tell)
    keptToken.keep(answer.token)
    // The path cannot lead to another host.
    location.replace(url + back.path)
  } catch (error) {
    await resume(tell, reasonOf(error))
  }
}

/**
 * Completes a sign-in at an issuer, or signs in with the stored token. Returns a function that stops listening to other
 * tabs.
 */
export function begin(tell: Tell): () => void {
  // Another tab has signed in or out, or the browser has restored a page from an earlier time.
  const follow = () => {
    const token = keptToken.read()
    if (token === (shown ?? null)) return
    if (token === null) tell({ is: 'out' })
    else if (shown === undefined) void resume(tell)
    else location.reload()
  }
  const showAgain = ({ persisted }: PageTransitionEvent) => {
    if (persisted) follow()
  }
  addEventListener('storage', follow)
  addEventListener('pageshow', showAgain)
  void comeBack(tell)
  return () => {
    removeEventListener('storage', follow)
    removeEventListener('pageshow', showAgain)
  }
}
