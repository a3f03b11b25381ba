import { reasonOf } from '../data/data.ts'
import type { Loaded } from '../data/use-answer.ts'

interface FaultProps {
  readonly error: unknown
  readonly retry: () => void
}

/** The reason why numbers are missing, and a button to try again. */
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

/**
 * One sentence about all missing answers, and a button that requests them again. Renders nothing if no answer is
 * missing.
 */
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

/** Shows the age of an outdated answer. */
export function Age({ seconds }: { readonly seconds: number | undefined }) {
  if (seconds === undefined) return null
  const minutes = Math.max(1, Math.round(seconds / 60))
  const ago = new Intl.RelativeTimeFormat(undefined, { numeric: 'always' }).format(-minutes, 'minute')
  return <p class="age">These numbers are from {ago}. New ones cannot be read right now.</p>
}
