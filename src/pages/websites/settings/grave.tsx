import type { Answer } from '@weir/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { goTo } from '../../parts/go-to.ts'
import type { Asked } from '../../parts/use-asked.ts'
import { Failed } from '../../session/failed.tsx'
import { Refused } from '../../session/reason.ts'
import type { Session } from '../../session/session.ts'
import { withinSeconds } from '../ending.tsx'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { type OwnTeam, userNamed } from '../people/own-teams.ts'

interface WebsiteProps {
  readonly session: Session
  readonly website: Answer<'getWebsite'>
}

interface GraveProps extends WebsiteProps {
  readonly teams: Asked<readonly OwnTeam[]>
}

const toList = () => goTo('/websites')

/** Actions that cannot be undone: reset, transfer and delete a website. */
export function Grave({ session, website, teams }: GraveProps) {
  const { client } = session
  const [isReset, setReset] = useState(false)
  const { id: websiteId, name } = website
  const reset = async () => {
    await client.resetWebsite({ websiteId })
    setReset(true)
  }
  const remove = async () => {
    await client.deleteWebsite({ websiteId })
    await toList()
  }
  return (
    <section class="card part" aria-labelledby="grave">
      <h2 id="grave">Reset, transfer, delete</h2>
      <details>
        <summary>Reset statistics</summary>
        <p class="quiet">All past events disappear from the statistics {withinSeconds}. Settings and links stay.</p>
        <Form act={confirmed(name, reset)} button="Reset statistics" isGrave>
          <TypedName name={name} />
        </Form>
        {isReset && <p role="status">The statistics begin now.</p>}
      </details>
      {teams.error !== undefined && <Failed error={teams.error} again={teams.again} />}
      {mayTransfer(website, session, teams.value) && <Transfer {...{ session, website }} teams={teams.value} />}
      <details>
        <summary>Delete website</summary>
        <p class="quiet">The website, its statistics, share links and settings will be gone for good.</p>
        <Form act={confirmed(name, remove)} button="Delete website" isGrave>
          <TypedName name={name} />
        </Form>
      </details>
    </section>
  )
}

/** Collapses white space, as browsers do when they show a text. */
const shownAs = (text: string): string => text.split(/\s/).filter(Boolean).join(' ')

/** Runs the action only if the user has typed the name. */
const confirmed = (name: string, act: () => Promise<unknown>) => async (given: FormData, form: HTMLFormElement) => {
  if (shownAs(String(given.get('typed'))) !== shownAs(name)) throw new Refused('This is not the name of the website.')
  await act()
  form.reset()
}

const TypedName = ({ name }: { readonly name: string }) => (
  <label class="field">
    <span>
      Type the name <bdi>{name}</bdi>
    </span>
    <input name="typed" required maxLength={200} autocomplete="off" autocapitalize="none" spellcheck={false} />
  </label>
)

/** Whether the API lets the user transfer the website to another owner. */
const mayTransfer = ({ userId, teamId }: WebsiteProps['website'], { user }: Session, teams: readonly OwnTeam[] = []) =>
  user.isAdmin ||
  userId === user.id ||
  teams.some(({ id, role }) => id === teamId && (role === 'team-owner' || role === 'team-manager'))

interface TransferProps extends WebsiteProps {
  /** Undefined if they are not known. */
  readonly teams: readonly OwnTeam[] | undefined
}

/** Transfers the website to another owner. */
function Transfer({ session, website: { id: websiteId, userId, teamId }, teams }: TransferProps) {
  const { client, user } = session
  const [to, setTo] = useState('')
  const give = async (given: FormData) => {
    const username = String(given.get('username') ?? '').trim()
    const owner = to === 'user' ? { userId: await userNamed(username, session) } : ownerOf(to, user.id)
    await client.transferWebsite({ websiteId, ...owner })
    await toList()
  }
  const choices: ComponentChildren[] = [
    userId !== user.id && <option value="me">Me</option>,
    ...(teams ?? []).map(({ id, name }) => id !== teamId && <option value={id}>Team {name}</option>),
    user.isAdmin && <option value="user">Another user…</option>,
  ].filter(Boolean)
  return (
    <details>
      <summary>Transfer website</summary>
      <p class="quiet">All its share links stop working.</p>
      {choices.length === 0 ? (
        teams && <p>There is nobody to transfer it to: you are in no team.</p>
      ) : (
        <Form act={give} button="Transfer website">
          <label class="field">
            New owner
            <select name="to" required value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)}>
              <option value="">Choose…</option>
              {choices}
            </select>
          </label>
          {to === 'user' && <Field label="User name" name="username" required maxLength={255} isExact />}
        </Form>
      )}
    </details>
  )
}

const ownerOf = (to: string, own: string) => (to === 'me' ? { userId: own } : { teamId: to })
