import { reasonOf } from '../data/data.ts'

interface FaultProps {
  readonly error: unknown
  readonly retry: () => void
}

/** Why there are no numbers, and a button to ask again. */
export function Fault({ error, retry }: FaultProps) {
  return (
    <div class="notice" role="alert">
      <p>{reasonOf(error)}</p>
      <button type="button" class="control" onClick={retry}>
        Try again
      </button>
    </div>
  )
}

/** Says how old an answer is that is older than it should be. */
export function Age({ seconds }: { readonly seconds: number | undefined }) {
  if (seconds === undefined) return null
  const minutes = Math.max(1, Math.round(seconds / 60))
  const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' }).format(-minutes, 'minute')
  return <p class="age">These numbers are from {ago}. New ones cannot be read right now.</p>
}
