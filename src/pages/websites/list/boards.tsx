import type { WeirClient } from '@weir/client'
import { useState } from 'preact/hooks'
import { useAsked } from '../../parts/use-asked.ts'
import { Shares } from '../shares/shares.tsx'

/** The boards of the user and of their teams. */
async function boardsOf(client: WeirClient, signal: AbortSignal) {
  const own = client.getBoards({ pageSize: 100 }, { signal })
  const { data: teams } = await client.getMyTeams({ pageSize: 100 }, { signal })
  const ofTeams = teams.map(({ id }) => client.getTeamBoards({ teamId: id, pageSize: 100 }, { signal }))
  const found = await Promise.all([own, ...ofTeams])
  return [...new Map(found.flatMap(({ data }) => data).map((board) => [board.id, board])).values()]
}

/** The boards of the user, with their shares. Renders nothing for a user without boards. */
export function Boards({ client }: { readonly client: WeirClient }) {
  const { value: boards } = useAsked('', (signal) => boardsOf(client, signal))
  if (!boards || boards.length === 0) return null
  return (
    <section class="card part" aria-labelledby="boards">
      <h2 id="boards">Boards</h2>
      <p class="quiet">The share of a board shows several websites, links and pixels on one page.</p>
      {boards.map(({ id, name }) => (
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
