import { useEffect, useState } from 'preact/hooks'
import { Refused } from '../../session/reason.ts'
import type { Session } from '../../session/session.ts'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { NewPassword } from '../password.tsx'
import { Identities } from './identities.tsx'
import { SecondFactor } from './second-factor.tsx'

/** The user's account: change the password, set up a second factor, or join a team. */
export function Account({ session }: { readonly session: Session }) {
  const { client, user } = session
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
        <p class="quiet">This signs you out of all other browsers. API keys stay valid.</p>
        {isDone && (
          <p class="made" role="status">
            The password is changed.
          </p>
        )}
        <Form act={change} button="Change password">
          <Field label="User name" name="username" autocomplete="username" readOnly value={user.username} />
          <Field
            {...{ label: 'Current password', name: 'current', type: 'password', autocomplete: 'current-password' }}
            {...{ required: true, maxLength: 256 }}
          />
          <NewPassword name="new" label="New password" isNeeded />
          <NewPassword name="again" label="New password again" isNeeded />
        </Form>
      </section>
      <SecondFactor client={client} />
      <Identities session={session} />
      <JoinTeam client={client} />
    </main>
  )
}

/** Joins a team by its access code. */
function JoinTeam({ client }: Pick<Session, 'client'>) {
  const [isDone, setDone] = useState(false)
  const join = async (given: FormData, form: HTMLFormElement) => {
    setDone(false)
    await client.joinTeam({ accessCode: String(given.get('code')).trim() })
    form.reset()
    setDone(true)
  }
  return (
    <section class="card part" aria-labelledby="join">
      <h2 id="join">Join a team</h2>
      {isDone && (
        <p class="made" role="status">
          You are in the team, and may see <a href="/websites">its websites</a>.
        </p>
      )}
      <Form act={join} button="Join">
        <Field label="Access code" name="code" required maxLength={100} isExact />
      </Form>
    </section>
  )
}
