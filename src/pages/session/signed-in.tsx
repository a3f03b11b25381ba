import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { chosenTheme, showTheme } from '../parts/theme.tsx'
import { Failed } from './failed.tsx'
import { begin, resume, type Session, type State } from './session.ts'
import { SignInForm } from './sign-in-form.tsx'

/** Shows its children to a signed-in user, and the sign-in form to everybody else. */
export function SignedIn({ children }: { readonly children: (session: Session) => ComponentChildren }) {
  const [state, setState] = useState<State>({ is: 'unknown' })
  useLayoutEffect(() => showTheme(chosenTheme()), [])
  useEffect(() => begin(setState), [])
  if (state.is === 'in') {
    return (
      <>
        {state.reason !== undefined && (
          <p class="message" role="alert">
            {state.reason}
          </p>
        )}
        {children(state.session)}
      </>
    )
  }
  if (state.is === 'out') return <SignInForm reason={state.reason} tell={setState} />
  return (
    <main class="page">
      {state.is === 'unknown' ? (
        <p class="unseen">Loading…</p>
      ) : (
        <Failed error={state.error} again={() => resume(setState)} />
      )}
    </main>
  )
}
