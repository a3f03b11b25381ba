import { goTo } from '../../parts/go-to.ts'
import { Failed } from '../../session/failed.tsx'
import type { Session } from '../../session/session.ts'
import { Choice } from '../choice.tsx'
import { Form } from '../form.tsx'
import { useOwnTeams } from '../people/own-teams.ts'
import { WebsiteFields } from '../website-fields.tsx'

interface NewWebsiteProps {
  readonly session: Session
  /** Called to go back without creating one. Undefined if there is nothing to go back to. */
  readonly cancel: (() => void) | undefined
}

/** Creates a website, and then goes to its settings, which show the script tag. */
export function NewWebsite({ session, cancel }: NewWebsiteProps) {
  const { client } = session
  const teams = useOwnTeams(session)
  const make = async (given: FormData) => {
    const [name, domain, teamId] = ['name', 'domain', 'team'].map((field) => String(given.get(field) ?? ''))
    const { id } = await client.createWebsite({ name: name!, domain: domain!, ...(teamId && { teamId }) })
    await goTo(`/websites/${id}/settings`)
  }
  return (
    <Form act={make} button="Create" cancel={cancel} class="card part opening">
      <h2>New website</h2>
      <WebsiteFields />
      {teams.error !== undefined && <Failed error={teams.error} again={teams.again} />}
      {teams.value && teams.value.length > 0 && (
        <Choice
          {...{ name: 'team', label: 'Owner', chosen: '' }}
          all={{ '': 'Me', ...Object.fromEntries(teams.value.map(({ id, name }) => [id, name])) }}
        />
      )}
    </Form>
  )
}
