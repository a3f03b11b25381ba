import type { WeirClient } from '@weir/client'
import { useState } from 'preact/hooks'
import { useAsked } from '../../parts/use-asked.ts'
import { Failed } from '../../session/failed.tsx'
import type { Session } from '../../session/session.ts'
import { Shares } from '../shares/shares.tsx'

/** The boards of the user and of their teams. */
async function boardsOf({ client, user }: Session, signal: AbortSignal) {
  const found = await Promise.all([
    client.getBoards({ pageSize: 100 }, { signal }),
    ...user.teams.map(({ id }) => client.getTeamBoards({ teamId: id, pageSize: 100 }, { signal })),
  ])
  return found.flatMap(({ data }) => data)
}

/** The boards of the user and of their teams, with their shares. Renders nothing if there are none. */
export function Boards({ session }: { readonly session: Session }) {
  const { client } = session
  const { value: boards, error, again } = useAsked('', (signal) => boardsOf(session, signal))
  if (error === undefined && !boards?.length) return null
  return (
    <section class="card part" aria-labelledby="boards">
      <h2 id="boards">Boards</h2>
      <p class="quiet">A shared board shows several websites, links and pixels on one page.</p>
      {error !== undefined && <Failed error={error} again={again} />}
      {boards?.map(({ id, name }) => (
        <Board key={id} {...{ client, id, name }} />
      ))}
    </section>
  )
}

interface BoardProps {
  readonly client: WeirClient
  readonly id: string
  readonly name: string
}

function Board({ client, id, name }: BoardProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Shares of <bdi>{name}</bdi>
      </summary>
      {isOpen && <Shares client={client} kind="board" id={id} />}
    </details>
  )
}
