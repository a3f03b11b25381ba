import { useEffect, useState } from 'preact/hooks'
import { Refused } from '../../session/reason.ts'
import type { Session } from '../../session/session.ts'
import { Form } from '../form.tsx'

/** The account of the user: a new password. */
export function Account({ session: { client, user } }: { readonly session: Session }) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    document.title = 'Account · Weir'
  }, [])
  const change = async (given: FormData, form: HTMLFormElement) => {
    setDone(false)
    const [currentPassword, newPassword, again] = ['current', 'new', 'again'].map((name) => String(given.get(name)))
    if (newPassword !== again) throw new Refused('The two new passwords are not the same.')
    await client.updateMyPassword({ currentPassword: currentPassword!, newPassword: newPassword! })
    form.reset()
    setDone(true)
  }
  return (
    <main class="page settings">
      <div class="head">
        <h1>Account</h1>
      </div>
      <section class="card part" aria-labelledby="password">
        <h2 id="password">Change password</h2>
        <p class="quiet">This signs you out of all other browsers. API keys stay.</p>
        {isDone && (
          <p class="made" role="status">
            The password is changed.
          </p>
        )}
        <Form act={change} button="Change password">
          <label class="field">
            User name
            <input name="username" autocomplete="username" readOnly value={user.username} />
          </label>
          <Password name="current" label="Current password" autocomplete="current-password" least={1} />
          <Password name="new" label="New password" autocomplete="new-password" least={8} />
          <Password name="again" label="New password again" autocomplete="new-password" least={8} />
        </Form>
      </section>
    </main>
  )
}

interface PasswordProps {
  readonly name: string
  readonly label: string
  readonly autocomplete: 'current-password' | 'new-password'
  /** The fewest characters. */
  readonly least: number
}

const Password = ({ name, label, autocomplete, least }: PasswordProps) => (
  <label class="field">
    {label}
    <input type="password" {...{ name, autocomplete }} required minLength={least} maxLength={256} />
    {least > 1 && <small class="quiet">At least {least} characters.</small>}
  </label>
)
