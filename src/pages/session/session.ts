import { type Answer, type WeirClient, weirClient } from '@weir/client'
import { keptToken } from './kept-token.ts'
import { printedPrefix } from './printed-password.ts'

/** A user who is signed in. */
export interface Session {
  readonly token: string
  readonly user: Answer<'verify'>
  /** `fetch`, but a 401 ends the session, so that the sign-in form appears. */
  readonly fetch: typeof fetch
  /** A client with the user's rights, which uses this `fetch`. */
  readonly client: WeirClient
  /** Whether this page was opened by a sign-in with a password that Weir printed. */
  readonly hasPrintedPassword: boolean
  /** Ends the sign-in, in all tabs and at the server. */
  readonly signOut: () => void
}

export type State =
  | { readonly is: 'unknown' }
  | { readonly is: 'unreadable'; readonly error: unknown }
  | { readonly is: 'out'; readonly reason?: string }
  | { readonly is: 'in'; readonly session: Session }

/** Called at each change. */
export type Tell = (state: State) => void

const url = location.origin

/** The token of this document's last session. Parts of the page keep answers meant only for that user. */
let shown: string | undefined

function connected(token: string, tell: Tell): Pick<Session, 'token' | 'fetch' | 'client'> {
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    // Another tab may have signed in meanwhile.
    if (response.status === 401 && keptToken.read() === token) {
      keptToken.forget()
      tell({ is: 'out', reason: 'Your sign-in has ended. Please sign in again.' })
    }
    return response
  }
  return { token, fetch: watched, client: weirClient({ url, key: token, fetch: watched }) }
}

function sessionOf(token: string, user: Session['user'], tell: Tell, hasPrintedPassword = false): Session {
  shown = token
  return { ...connected(token, tell), user, hasPrintedPassword, signOut: () => end(token, tell) }
}

/** Forgets the token, and revokes it at the server. If the server cannot be reached, it expires within a week. */
function end(token: string, tell: Tell): void {
  keptToken.forget()
  tell({ is: 'out' })
  weirClient({ url, key: token })
    .logout()
    .catch(() => undefined)
}

/** Signs in with the stored token, if any. */
export async function resume(tell: Tell): Promise<void> {
  const token = keptToken.read()
  if (token === null) return tell({ is: 'out' })
  tell({ is: 'unknown' })
  try {
    const user = await connected(token, tell).client.verify()
    if (keptToken.read() === token) tell({ is: 'in', session: sessionOf(token, user, tell) })
  } catch (error) {
    if (keptToken.read() === token) tell({ is: 'unreadable', error })
  }
}

/** Signs in with a password. Throws the server's refusal. */
export async function signIn(username: string, password: string, tell: Tell): Promise<void> {
  const { token, user } = await weirClient({ url }).login({ username, password })
  keptToken.keep(token)
  if (shown !== undefined) return location.reload()
  tell({ is: 'in', session: sessionOf(token, user, tell, password.startsWith(printedPrefix)) })
}

/** Starts with the stored token. Returns the function that stops listening to other tabs. */
export function begin(tell: Tell): () => void {
  // Another tab has signed in or out, or the browser has restored a page from before that.
  const follow = () => {
    const token = keptToken.read()
    if (token === (shown ?? null)) return
    if (token === null) tell({ is: 'out' })
    else if (shown === undefined) void resume(tell)
    else location.reload()
  }
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted) follow()
  }
  addEventListener('storage', follow)
  addEventListener('pageshow', comeBack)
  void resume(tell)
  return () => {
    removeEventListener('storage', follow)
    removeEventListener('pageshow', comeBack)
  }
}
