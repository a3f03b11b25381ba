import type { Answer } from '@weir/client'
import { useState } from 'preact/hooks'
import { Refused } from '../../session/reason.ts'
import type { Session } from '../../session/session.ts'
import { Choice } from '../choice.tsx'
import { Ending } from '../ending.tsx'
import { Field } from '../field.tsx'
import { Form } from '../form.tsx'
import { Pages, usePaged } from '../paged.tsx'
import { NewPassword } from '../password.tsx'
import { useKeptFocus } from '../use-kept-focus.ts'
import { type UserRole, userRoles } from './roles.ts'
import { MustHaveOne, SecondFactorRule } from './second-factors.tsx'

type User = Answer<'getUsers'>['data'][number]

/** The users: view, create, change and delete. */
export function Users({ session: { client, user: self } }: { readonly session: Session }) {
  const list = usePaged((part, signal) => client.getUsers({ ...part, orderBy: 'username' }, { signal }))
  const [isMaking, setMaking] = useState(false)
  const root = useKeptFocus<HTMLDivElement>(isMaking)
  const make = async (given: FormData) => {
    const [username, password] = ['username', 'password'].map((name) => String(given.get(name)))
    await client.createUser({ username: username!, password: password!, role: given.get('role') as UserRole })
    setMaking(false)
    list.again()
  }
  const change = async (userId: string, given: FormData) => {
    const [username, password] = ['username', 'password'].map((name) => String(given.get(name)))
    const role = given.get('role') as UserRole
    await client.updateUser({ userId, username: username!, role, ...(password && { password }) })
    list.again()
  }
  const require = async (userId: string, required: boolean) => {
    await client.requireUserTwoFactor({ userId, required })
    list.again()
  }
  const reset = async (userId: string) => {
    const answer = await client.resetUserTwoFactor({ userId })
    if (!answer.reset.twoFactorAuth) throw new Refused('This user has no second factor.')
  }
  const remove = async (userId: string) => {
    await client.deleteUser({ userId })
    list.again()
  }
  return (
    <section class="card part" aria-labelledby="users">
      <h2 id="users">Users</h2>
      <Pages list={list} label="User name">
        <ul class="items">
          {list.value?.data.map((user) => (
            <UserItem
              key={user.id}
              {...{ user, isSelf: user.id === self.id }}
              change={(given) => change(user.id, given)}
              require={(required) => require(user.id, required)}
              reset={() => reset(user.id)}
              remove={() => remove(user.id)}
            />
          ))}
        </ul>
      </Pages>
      <div ref={root}>
        {isMaking ? (
          <Form act={make} button="Create" cancel={() => setMaking(false)}>
            <UserName />
            <NewPassword name="password" label="Password" isNeeded />
            <Choice name="role" label="Role" all={userRoles} chosen="user" />
          </Form>
        ) : (
          <p>
            <button type="button" class="control" onClick={() => setMaking(true)}>
              New user
            </button>
          </p>
        )}
      </div>
    </section>
  )
}

interface UserItemProps {
  readonly user: User
  readonly isSelf: boolean
  readonly change: (given: FormData) => Promise<unknown>
  readonly require: (required: boolean) => Promise<unknown>
  readonly reset: () => Promise<unknown>
  readonly remove: () => Promise<unknown>
}

function UserItem({
  user: { username, role, twoFactorRequired, _count },
  isSelf,
  change,
  require,
  reset,
  remove,
}: UserItemProps) {
  const [isChanging, setChanging] = useState(false)
  const root = useKeptFocus<HTMLLIElement>(isChanging)
  const save = async (given: FormData) => {
    await change(given)
    setChanging(false)
  }
  return (
    <li class="item" ref={root}>
      <h3>
        <bdi>{username}</bdi> <span class="mark-of">{userRoles[role]}</span>{' '}
        {twoFactorRequired && <MustHaveOne whose="They" />}
      </h3>
      {isChanging ? (
        <Form act={save} button="Save" cancel={() => setChanging(false)}>
          <UserName username={username} />
          <NewPassword name="password" label="New password" />
          <Choice name="role" label="Role" all={userRoles} chosen={role} />
        </Form>
      ) : (
        <>
          <p class="quiet">{_count.websites === 1 ? '1 website' : `${_count.websites} websites`}</p>
          <p class="buttons">
            <button type="button" class="control" onClick={() => setChanging(true)}>
              Edit<span class="unseen"> {username}</span>
            </button>
            <SecondFactorRule isRequired={twoFactorRequired} whom={username} require={require} />
            {!isSelf && (
              <Ending
                verb="Reset second factor"
                what={`of ${username}`}
                warning="Their password alone signs in until they have set up another one."
                end={reset}
                stays
              />
            )}
            {!isSelf && (
              <Ending
                verb="Delete"
                what={username}
                warning="Their websites and keys are deleted, too, as are teams without another owner."
                end={remove}
              />
            )}
          </p>
        </>
      )}
    </li>
  )
}

const UserName = ({ username }: { readonly username?: string }) => (
  <Field label="User name" name="username" required maxLength={255} isExact defaultValue={username} />
)
