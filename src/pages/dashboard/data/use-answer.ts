import { useEffect, useState } from 'preact/hooks'
import type { Question } from './data.ts'

/** The answer to a question, as far as it is there. */
export interface Loaded<Value> {
  /** The answer, or that to the question before while this one is under way; undefined without any. */
  readonly value: Value | undefined
  readonly error: unknown
  /** Whether another question is under way; not if it is only asked again for the minute that has passed. */
  readonly isLoading: boolean
  readonly retry: () => void
}

/** How many answers stay in memory, for the way back. */
const mostKept = 200

const kept = new Map<string, unknown>()

function keep(key: string, value: unknown): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
}

interface State<Value> {
  readonly key: string
  readonly topic: string
  readonly value: Value | undefined
  readonly error: unknown
}

/** Asks a question when it changes. Without a question nothing is asked. */
export function useAnswer<Value>(question: Question<Value> | undefined): Loaded<Value> {
  const [state, setState] = useState<State<Value>>({ key: '', topic: '', value: undefined, error: undefined })
  const [tries, setTries] = useState(0)
  const { key, topic } = question ?? { key: '', topic: '' }
  useEffect(() => {
    if (!question || kept.has(key)) return
    const ending = new AbortController()
    question.ask(ending.signal).then(
      (value) => {
        keep(key, value)
        if (!ending.signal.aborted) setState({ key, topic, value, error: undefined })
      },
      (error) => {
        if (!ending.signal.aborted) setState((before) => ({ ...before, key, topic, error }))
      },
    )
    return () => ending.abort()
  }, [key, tries])
  const retry = () => {
    setState((before) => ({ ...before, key: '', topic: '', error: undefined }))
    setTries((before) => before + 1)
  }
  const known = kept.get(key) as Value | undefined
  if (known !== undefined) {
    if (state.value !== known || state.key !== key) setState({ key, topic, value: known, error: undefined })
    return { value: known, error: undefined, isLoading: false, retry }
  }
  const isCurrent = state.key === key
  return {
    value: state.value,
    error: isCurrent ? state.error : undefined,
    isLoading: question !== undefined && state.topic !== topic,
    retry,
  }
}
