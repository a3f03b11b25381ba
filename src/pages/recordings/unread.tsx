import { Failed } from '../session/failed.tsx'

/** Shows that something is loading, or the reason why it cannot be read. */
export function Unread({ error, again }: { readonly error: unknown; readonly again: () => void }) {
  if (error === undefined) return <p class="quiet">Loading…</p>
  return <Failed error={error} again={again} />
}
