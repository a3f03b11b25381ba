import type { Answer } from '@weir/client'
import { useState } from 'preact/hooks'
import type { Session } from '../../session/session.ts'
import { Choice } from '../choice.tsx'
import { Ending } from '../ending.tsx'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { useKeptFocus } from '../use-kept-focus.ts'
import { userNamed } from './own-teams.ts'
import { type MemberRole, memberRoles } from './roles.ts'

export type Team = Answer<'getAdminTeams'>['data'][number]

interface MembersProps {
  readonly session: Session
  readonly team: Team
  readonly changed: () => void
}

/** The members of a team: add and remove them, and change their roles. */
export function Members({ session, team: { id: teamId, name, members, accessCode }, changed }: MembersProps) {
  const { client } = session
  const add = async (given: FormData, form: HTMLFormElement) => {
    const userId = await userNamed(String(given.get('username')).trim(), session)
    await client.createTeamUser({ teamId, userId, role: given.get('role') as MemberRole })
    form.reset()
    changed()
  }
  return (
    <details>
      <summary>
        {members.length === 1 ? '1 member' : `${members.length} members`}
        <span class="unseen"> of {name}</span>
      </summary>
      {accessCode !== null && (
        <p class="quiet">
          Whoever has the access code may join: <code>{accessCode}</code>
        </p>
      )}
      <ul class="items">
        {members.map((member) => (
          <MemberItem
            key={member.id}
            member={member}
            change={async (role) => {
              await client.updateTeamUser({ teamId, userId: member.userId, role })
              changed()
            }}
            remove={async () => {
              await client.deleteTeamUser({ teamId, userId: member.userId })
              changed()
            }}
          />
        ))}
      </ul>
      <Form act={add} button="Add member">
        <Field label="User name" name="username" required maxLength={255} isExact />
        <Choice name="role" label="Role" all={memberRoles} chosen="team-member" />
      </Form>
    </details>
  )
}

interface MemberItemProps {
  readonly member: Team['members'][number]
  readonly change: (role: MemberRole) => Promise<unknown>
  readonly remove: () => Promise<unknown>
}

function MemberItem({ member: { user, role }, change, remove }: MemberItemProps) {
  const [isChanging, setChanging] = useState(false)
  const root = useKeptFocus<HTMLLIElement>(isChanging)
  const save = async (given: FormData) => {
    await change(given.get('role') as MemberRole)
    setChanging(false)
  }
  return (
    <li class="item" ref={root}>
      <h4>
        <bdi>{user.username}</bdi>{' '}
        <span class="mark-of">{role === 'team-owner' ? 'Owner' : (memberRoles[role as MemberRole] ?? role)}</span>
      </h4>
      {isChanging ? (
        <Form act={save} button="Save" cancel={() => setChanging(false)}>
          <Choice name="role" label="Role" all={memberRoles} chosen={role} />
        </Form>
      ) : (
        <p class="buttons">
          <button type="button" class="control" onClick={() => setChanging(true)}>
            Edit<span class="unseen"> {user.username}</span>
          </button>
          <Ending verb="Remove" what={user.username} warning="They no longer see anything of the team." end={remove} />
        </p>
      )}
    </li>
  )
}
