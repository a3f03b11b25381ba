import { reasonOf } from '../data/data.ts'
import type { Loaded } from '../data/use-answer.ts'

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

/** Why some of the answers are not there, in one sentence; nothing if all are. The button asks for each of those again. */
export function Faults({ of }: { readonly of: readonly Pick<Loaded<unknown>, 'error' | 'retry'>[] }) {
  const failed = of.filter(({ error }) => error !== undefined)
  if (!failed[0]) return null
  return (
    <Fault
      error={failed[0].error}
      retry={() => {
        for (const { retry } of failed) retry()
      }}
    />
  )
}

/** Says how old an answer is that is older than it should be. */
export function Age({ seconds }: { readonly seconds: number | undefined }) {
  if (seconds === undefined) return null
  const minutes = Math.max(1, Math.round(seconds / 60))
  const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' }).format(-minutes, 'minute')
  return <p class="age">These numbers are from {ago}. New ones cannot be read right now.</p>
}
