import { reasonOf } from '../session/reason.ts'

/** Says that something is loading, or why it cannot be read. */
export function Unread({ error, again }: { readonly error: unknown; readonly again: () => void }) {
  if (error === undefined) return <p class="quiet">Loading…</p>
  return (
    <div class="notice" role="alert">
      <p>{reasonOf(error)}</p>
      <button type="button" class="control" onClick={again}>
        Try again
      </button>
    </div>
  )
}
