import { ageOf, type Data } from '../data/data.ts'
import { useAnswer } from '../data/use-answer.ts'
import { formatWhole } from '../format/numbers.ts'

interface VisitorsNowProps {
  readonly data: Data
  readonly websiteId: string
  /** The time from `useNow`, in milliseconds since 1970. Each change requests the number again. */
  readonly now: number
}

/** The number of visitors in the last five minutes. Renders nothing if only an older number can be read. */
export function VisitorsNow({ data, websiteId, now }: VisitorsNowProps) {
  const { value } = useAnswer(data.active(websiteId, now))
  return (
    <p class="now quiet">
      {value && ageOf(value) === undefined && (
        <>
          <span class="pulse" aria-hidden="true" />
          <span data-figure="now">{formatWhole(value.visitors)}</span>
          {value.visitors === 1 ? ' visitor now' : ' visitors now'}
        </>
      )}
    </p>
  )
}
