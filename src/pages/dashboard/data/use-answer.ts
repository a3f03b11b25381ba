import { useLayoutEffect, useState } from 'preact/hooks'
import { isRefusal } from '../../parts/polling.ts'
import { takeAhead } from './ahead.ts'
import { markAge, type Question } from './data.ts'

/** The state of the answer to a question. */
export interface Loaded<Value> {
  /** The answer. While a new answer loads, the answer to the previous question, if any. */
  readonly value: Value | undefined
  readonly error: unknown
  /** Whether the answer to a new question is loading. False if the same question is only refreshed after a minute. */
  readonly isLoading: boolean
  readonly retry: () => void
}

/** How many answers are kept in memory, in case the viewer goes back: the newest one for each topic. */
const mostKept = 200

const kept = new Map<string, { readonly key: string; readonly value: unknown }>()

function keep(key: string, topic: string, value: unknown): void {
  kept.delete(topic)
  kept.set(topic, { key, value })
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
}

/** The kept answer to a question; undefined if there is none. */
function keptFor<Value>(key: string, topic: string): Value | undefined {
  const one = kept.get(topic)
  return one?.key === key ? (one.value as Value) : undefined
}

interface State<Value> {
  readonly key: string
  readonly topic: string
  readonly value: Value | undefined
  /** The topic of the value, and its time of arrival in milliseconds since 1970. */
  readonly about: string
  readonly since: number
  readonly error: unknown
}

const nothing = { key: '', topic: '', value: undefined, about: '', since: 0, error: undefined }

const answered = <Value>(key: string, topic: string, value: Value): State<Value> => ({
  ...{ key, topic, value, about: topic, since: Date.now(), error: undefined },
})

/**
 * Old numbers are better than none, so they stay, marked with their age, unless they answer another question or the
 * viewer may no longer see them.
 */
function failed<Value>(before: State<Value>, key: string, topic: string, error: unknown): State<Value> {
  if (isRefusal(error) || before.about !== topic || before.value === undefined) return { ...nothing, key, topic, error }
  markAge(before.value, (Date.now() - before.since) / 1000)
  return { ...before, key, topic, error: undefined }
}

/** Requests the answer whenever the question changes. Without a question, requests nothing. */
export function useAnswer<Value>(question: Question<Value> | undefined): Loaded<Value> {
  const [state, setState] = useState<State<Value>>(nothing)
  const [tries, setTries] = useState(0)
  const { key, topic } = question ?? { key: '', topic: '' }
  // The same question a minute later would also be refused.
  const isRefused = state.topic === topic && isRefusal(state.error)
  // Runs before the page is painted, so that the request is sent as early as possible.
  useLayoutEffect(() => {
    if (!question || keptFor(key, topic) !== undefined || isRefused) return
    const ending = new AbortController()
    const asked = takeAhead<Value>(key) ?? question.ask(ending.signal)
    asked.then(
      (value) => {
        keep(key, topic, value)
        if (!ending.signal.aborted) setState(answered(key, topic, value))
      },
      (error) => {
        if (!ending.signal.aborted) setState((before) => failed(before, key, topic, error))
      },
    )
    return () => ending.abort()
  }, [key, tries])
  const retry = () => {
    setState((before) => ({ ...before, key: '', topic: '', error: undefined }))
    setTries((before) => before + 1)
  }
  const known = keptFor<Value>(key, topic)
  if (known !== undefined) {
    if (state.value !== known || state.key !== key) setState(answered(key, topic, known))
    return { value: known, error: undefined, isLoading: false, retry }
  }
  // The error of a minute ago stays until there is a new answer.
  const error = state.topic === topic ? state.error : undefined
  return {
    value: state.value,
    error,
    isLoading: question !== undefined && state.topic !== topic,
    retry,
  }
}
