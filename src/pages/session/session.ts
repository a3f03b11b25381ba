import { type Answer, type WeirClient, weirClient } from '@weir/client'
import { tokenOfTab } from './token-of-tab.ts'

/** A user who is signed in in this tab. */
export interface Session {
  readonly token: string
  readonly user: Answer<'verify'>
  /** `fetch`, except that a 401 ends the session: the form comes back. */
  readonly fetch: typeof fetch
  /** Asks with the rights of the user, by this `fetch`. */
  readonly client: WeirClient
  /** Ends the token at the server, and the sign-ins of other tabs. */
  readonly signOut: () => void
}

export type State =
  | { readonly is: 'unknown' }
  | { readonly is: 'unreadable'; readonly error: unknown }
  | { readonly is: 'out'; readonly reason?: string }
  | { readonly is: 'in'; readonly session: Session }

/** Hears of each change. */
export type Tell = (state: State) => void

const url = location.origin

/** The token of the session that this document had last. Its parts keep answers that are for that user alone. */
let shown: string | undefined

function connected(token: string, tell: Tell): Pick<Session, 'token' | 'fetch' | 'client'> {
  const watched: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    // Another sign-in may have begun meanwhile.
    if (response.status === 401 && tokenOfTab.read() === token) {
      tokenOfTab.forget()
      tell({ is: 'out', reason: 'Your sign-in has ended. Please sign in again.' })
    }
    return response
  }
  return { token, fetch: watched, client: weirClient({ url, key: token, fetch: watched }) }
}

function sessionOf(token: string, user: Session['user'], tell: Tell): Session {
  shown = token
  return {
    ...connected(token, tell),
    user,
    signOut() {
      end(tell)
      tokenOfTab.endOthers()
    },
  }
}

/** Forgets the token, and ends it at the server. If the server cannot be reached, it ends within a week. */
function end(tell: Tell): void {
  const token = tokenOfTab.read()
  tokenOfTab.forget()
  tell({ is: 'out' })
  if (token !== null)
    weirClient({ url, key: token })
      .logout()
      .catch(() => undefined)
}

/** Signs in with the token of the tab, if it has one. */
export async function resume(tell: Tell): Promise<void> {
  if (tokenOfTab.isOver()) return end(tell)
  const token = tokenOfTab.read()
  if (token === null) return tell({ is: 'out' })
  tell({ is: 'unknown' })
  try {
    const user = await connected(token, tell).client.verify()
    if (tokenOfTab.read() === token) tell({ is: 'in', session: sessionOf(token, user, tell) })
  } catch (error) {
    if (tokenOfTab.read() === token) tell({ is: 'unreadable', error })
  }
}

/** Signs in with a password. Throws what the server refuses. */
export async function signIn(username: string, password: string, tell: Tell): Promise<void> {
  const { token, user } = await weirClient({ url }).login({ username, password })
  tokenOfTab.keep(token)
  if (shown !== undefined) return location.reload()
  tell({ is: 'in', session: sessionOf(token, user, tell) })
}

/** Begins with the token of the tab. Returns the function that stops listening to other tabs. */
export function begin(tell: Tell): () => void {
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    // The browser shows a page from its memory, as it was before somebody signed out.
    if (persisted && shown !== undefined && (tokenOfTab.read() !== shown || tokenOfTab.isOver())) location.reload()
  }
  const follow = () => {
    if (tokenOfTab.isOver()) end(tell)
  }
  addEventListener('storage', follow)
  addEventListener('pageshow', comeBack)
  void resume(tell)
  return () => {
    removeEventListener('storage', follow)
    removeEventListener('pageshow', comeBack)
  }
}
