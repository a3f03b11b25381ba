import { useEffect, useState } from 'preact/hooks'
import { Refused } from '../../session/reason.ts'
import type { Session } from '../../session/session.ts'
import { Form } from '../form.tsx'
import { NewPassword } from '../password.tsx'

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
          <label class="field">
            Current password
            <input type="password" name="current" autocomplete="current-password" required maxLength={256} />
          </label>
          <NewPassword name="new" label="New password" isNeeded />
          <NewPassword name="again" label="New password again" isNeeded />
        </Form>
      </section>
    </main>
  )
}
