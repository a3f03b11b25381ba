import { useState } from 'preact/hooks'
import type { Session } from '../../session/session.ts'
import { Ending } from '../ending.tsx'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { Pages, usePaged } from '../paged.tsx'
import { useKeptFocus } from '../use-kept-focus.ts'
import { Members, type Team } from './members.tsx'
import { MustHaveOne, SecondFactorRule } from './second-factors.tsx'

/** The teams and their members: view, create, rename and delete. */
export function Teams({ session }: { readonly session: Session }) {
  const { client } = session
  const list = usePaged((part, signal) => client.getAdminTeams({ ...part, orderBy: 'name' }, { signal }))
  const [isMaking, setMaking] = useState(false)
  const root = useKeptFocus<HTMLDivElement>(isMaking)
  const make = async (given: FormData) => {
    await client.createTeam({ name: String(given.get('name')) })
    setMaking(false)
    list.again()
  }
  return (
    <section class="card part" aria-labelledby="teams">
      <h2 id="teams">Teams</h2>
      <p class="quiet">Members see the websites of their team.</p>
      <Pages list={list} label="Name of the team">
        <ul class="items">
          {list.value?.data.map((team) => (
            <TeamItem key={team.id} {...{ session, team }} changed={list.again} />
          ))}
        </ul>
      </Pages>
      <div ref={root}>
        {isMaking ? (
          <Form act={make} button="Create" cancel={() => setMaking(false)}>
            <TeamName />
          </Form>
        ) : (
          <p>
            <button type="button" class="control" onClick={() => setMaking(true)}>
              New team
            </button>
          </p>
        )}
      </div>
    </section>
  )
}

interface TeamItemProps {
  readonly session: Session
  readonly team: Team
  /** Called after the team was changed or deleted. */
  readonly changed: () => void
}

function TeamItem({ session, team, changed }: TeamItemProps) {
  const { client } = session
  const [isChanging, setChanging] = useState(false)
  const root = useKeptFocus<HTMLLIElement>(isChanging)
  const { id: teamId, name, twoFactorRequired, _count } = team
  const save = async (given: FormData) => {
    await client.updateTeam({ teamId, name: String(given.get('name')) })
    setChanging(false)
    changed()
  }
  const require = async (required: boolean) => {
    await client.requireTeamTwoFactor({ teamId, required })
    changed()
  }
  const remove = async () => {
    await client.deleteTeam({ teamId })
    changed()
  }
  return (
    <li class="item" ref={root}>
      <h3>
        <bdi>{name}</bdi>{' '}
        <span class="mark-of">{_count.websites === 1 ? '1 website' : `${_count.websites} websites`}</span>{' '}
        {twoFactorRequired && <MustHaveOne whose="Members" />}
      </h3>
      {isChanging ? (
        <Form act={save} button="Save" cancel={() => setChanging(false)}>
          <TeamName name={name} />
        </Form>
      ) : (
        <p class="buttons">
          <button type="button" class="control" onClick={() => setChanging(true)}>
            Rename<span class="unseen"> {name}</span>
          </button>
          <SecondFactorRule isRequired={twoFactorRequired} whom={`the members of ${name}`} require={require} />
          <Ending verb="Delete" what={name} warning="Everything that it owns is deleted, too." end={remove} />
        </p>
      )}
      {_count.websites === 0 && (
        <p class="quiet">
          To give it one, open the settings of a <a href="/websites">website</a> and choose “Transfer website”.
        </p>
      )}
      <Members {...{ session, team, changed }} />
    </li>
  )
}

const TeamName = ({ name }: { readonly name?: string }) => (
  <Field label="Name" name="name" required maxLength={50} defaultValue={name} />
)
