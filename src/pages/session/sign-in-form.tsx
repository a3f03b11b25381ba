import { useEffect, useRef, useState } from 'preact/hooks'
import { reasonOf } from './reason.ts'
import { signIn, type Tell } from './session.ts'

interface SignInFormProps {
  /** Why the user has to sign in again. */
  readonly reason: string | undefined
  readonly tell: Tell
}

/** The title of the page before any request, without data of a user. */
const title = document.title

export function SignInForm({ reason, tell }: SignInFormProps) {
  const [username, password] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const [message, setMessage] = useState(reason)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    document.title = 'Sign in · Weir'
    username.current?.focus()
    return () => {
      document.title = title
    }
  }, [])
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isAsking) return
    setAsking(true)
    setMessage(undefined)
    try {
      await signIn(username.current!.value, password.current!.value, tell)
    } catch (error) {
      setMessage(reasonOf(error))
      setAsking(false)
      password.current?.select()
    }
  }
  return (
    <main class="page sign-in">
      <form class="card" onSubmit={send}>
        <h1>Sign in to Weir</h1>
        <p class="message" role="alert">
          {message}
        </p>
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
        <button type="submit" class="control is-main" aria-busy={isAsking}>
          Sign in
        </button>
        <p class="quiet">
          You stay signed in for a week, or until you sign out. With <code>npm start</code>, the terminal shows the name
          and the first password.
        </p>
      </form>
    </main>
  )
}
