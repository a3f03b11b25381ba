import { WeirError, weirClient } from '@weir/client'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAsked } from '../parts/use-asked.ts'
import { Failed } from './failed.tsx'
import { leaveFor } from './issuers.ts'
import { reasonOf } from './reason.ts'
import { type SecondStep, signIn, type Tell } from './session.ts'

interface SignInFormProps {
  /** The reason why the user has to sign in again. */
  readonly reason: string | undefined
  readonly tell: Tell
}

/** The title with which the page was loaded. It contains no user data. */
const title = document.title

export function SignInForm({ reason, tell }: SignInFormProps) {
  const [username, password, code] = [useField(), useField(), useField()]
  const [second, setSecond] = useState<SecondStep | undefined>(undefined)
  const [message, setMessage] = useState(reason)
  const [isAsking, setAsking] = useState(false)
  // A later effect could take the focus from a user who has already moved on.
  useLayoutEffect(() => {
    document.title = 'Sign in · Weir'
    username.current?.focus()
    return () => {
      document.title = title
    }
  }, [])
  useLayoutEffect(() => code.current?.focus(), [second])
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isAsking) return
    setAsking(true)
    setMessage(undefined)
    try {
      if (second) await second(code.current!.value)
      else {
        const next = await signIn(username.current!.value, password.current!.value, tell)
        if (next) setSecond(() => next)
      }
    } catch (error) {
      setMessage(reasonOf(error))
      // The first step has expired or is invalid.
      if (second && error instanceof WeirError && error.status === 401) setSecond(undefined)
      const wrong = code.current ?? password.current
      wrong?.select()
    }
    setAsking(false)
  }
  return (
    <main class="page sign-in">
      <form class="card" onSubmit={send}>
        <h1>Sign in to Weir</h1>
        <p class="message" role="alert">
          {message}
        </p>
        {second ? (
          <label>
            Code from your app, or a backup code
            <input {...{ ref: code, name: 'code', autocomplete: 'one-time-code', required: true, maxLength: 64 }} />
          </label>
        ) : (
          <>
            <label>
              User name
              <input
                {...{ ref: username, name: 'username', autocomplete: 'username', autocapitalize: 'none' }}
                {...{ required: true, maxLength: 255 }}
              />
            </label>
            <label>
              Password
              <input
                {...{ ref: password, name: 'password', type: 'password', autocomplete: 'current-password' }}
                {...{ required: true, maxLength: 256 }}
              />
            </label>
          </>
        )}
        <button type="submit" class="control is-main" aria-busy={isAsking}>
          Sign in
        </button>
        {!second && <Issuers refuse={(error) => setMessage(reasonOf(error))} />}
        <p class="quiet">
          You stay signed in for a week, or until you sign out. With <code>npm start</code>, the terminal shows the name
          and the first password.
        </p>
      </form>
    </main>
  )
}

const useField = () => useRef<HTMLInputElement>(null)

/** A button for each issuer where users may sign in. */
function Issuers({ refuse }: { readonly refuse: (error: unknown) => void }) {
  const client = weirClient({ url: location.origin })
  const { value, error, again } = useAsked('', (signal) => client.getConfig({}, { signal }))
  return (
    <>
      {error !== undefined && <Failed error={error} again={again} />}
      {value?.issuers.map(({ name, button }) => (
        <button
          key={name}
          type="button"
          class="control"
          onClick={() =>
            client
              .startSignOn({ issuer: name })
              .then(({ url }) => leaveFor(url))
              .catch(refuse)
          }
        >
          {button}
        </button>
      ))}
    </>
  )
}
