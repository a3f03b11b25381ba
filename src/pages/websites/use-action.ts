import { useRef, useState } from 'preact/hooks'
import { reasonOf } from '../session/reason.ts'

/** A user's action. Only one runs at a time. */
interface Doing<Given extends readonly unknown[]> {
  readonly isUnderWay: boolean
  /** The reason why the action failed. */
  readonly refusal: string | undefined
  readonly start: (...given: Given) => Promise<void>
}

/** Runs `act`. Converts an error to a sentence for the user. */
export function useAction<Given extends readonly unknown[]>(act: (...given: Given) => Promise<unknown>): Doing<Given> {
  const [isUnderWay, setUnderWay] = useState(false)
  const [refusal, setRefusal] = useState<string | undefined>(undefined)
  const runs = useRef(false)
  const start = async (...given: Given) => {
    if (runs.current) return
    runs.current = true
    setUnderWay(true)
    setRefusal(undefined)
    try {
      await act(...given)
    } catch (error) {
      setRefusal(reasonOf(error))
    }
    runs.current = false
    setUnderWay(false)
  }
  return { isUnderWay, refusal, start }
}
