import type { WeirClient } from '@weir/client'
import { useState } from 'preact/hooks'
import { useAsked } from '../../parts/use-asked.ts'
import { Shares } from '../shares/shares.tsx'

/** The boards of the user, with their shares. Renders nothing for a user without boards. */
export function Boards({ client }: { readonly client: WeirClient }) {
  const { value } = useAsked('', (signal) => client.getBoards({ pageSize: 100 }, { signal }))
  if (!value || value.data.length === 0) return null
  return (
    <section class="card part" aria-labelledby="boards">
      <h2 id="boards">Boards</h2>
      <p class="quiet">The share of a board shows several websites, links and pixels on one page.</p>
      {value.data.map(({ id, name }) => (
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
