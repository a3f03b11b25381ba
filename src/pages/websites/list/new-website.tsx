import { useAsked } from '../../parts/use-asked.ts'
import type { Session } from '../../session/session.ts'
import { Form } from '../form.tsx'

interface NewWebsiteProps {
  readonly session: Session
  /** None if there is nothing to go back to. */
  readonly cancel: (() => void) | undefined
}

/** Makes a website, and goes to its page of settings, which has the tag to paste. */
export function NewWebsite({ session, cancel }: NewWebsiteProps) {
  const { client } = session
  const teams = useOwnTeams(session)
  const make = async (given: FormData) => {
    const [name, domain, teamId] = ['name', 'domain', 'team'].map((field) => String(given.get(field) ?? ''))
    const { id } = await client.createWebsite({ name: name!, domain: domain!, ...(teamId && { teamId }) })
    location.assign(`/websites/${id}/settings`)
  }
  return (
    <Form act={make} button="Create" cancel={cancel} class="card part opening">
      <h2>New website</h2>
      <label class="field">
        Name
        <input name="name" required maxLength={100} autocomplete="off" placeholder="My website" />
      </label>
      <label class="field">
        Domain
        <input
          name="domain"
          required
          maxLength={500}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder="www.example.com"
        />
      </label>
      {teams.length > 0 && (
        <label class="field">
          Owner
          <select name="team">
            <option value="">Me</option>
            {teams.map((team) => (
              <option key={team.id} value={team.id}>
                {team.name}
              </option>
            ))}
          </select>
        </label>
      )}
    </Form>
  )
}

/** The teams of the user in which they may make websites. */
function useOwnTeams({ client, user }: Session): readonly { readonly id: string; readonly name: string }[] {
  const { value } = useAsked(user.id, async (signal) => {
    if (user.teams.length === 0) return []
    const { data } = await client.getTeams({ pageSize: 100 }, { signal })
    const roleIn = ({ members }: (typeof data)[number]) => members.find(({ userId }) => userId === user.id)?.role
    return data.filter((team) => user.role === 'admin' || roleIn(team) !== 'team-view-only')
  })
  return value ?? []
}
