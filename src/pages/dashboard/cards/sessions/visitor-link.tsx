import type { ComponentChildren } from 'preact'
import { writeAddress } from '../../address/address.ts'
import { useBoard } from '../context.ts'

/** A link to one visitor. A plain click stays on the page. */
export function VisitorLink({ id, children }: { readonly id: string; readonly children: ComponentChildren }) {
  const { address, go } = useBoard()
  return (
    <a
      class="session-row"
      href={`${location.pathname}${writeAddress({ ...address, visitor: id })}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        go({ visitor: id })
      }}
    >
      {children}
    </a>
  )
}
