import { useEffect, useState } from 'preact/hooks'

/** An API answer that may still be loading. */
export interface Asked<Value> {
  readonly value: Value | undefined
  readonly error: unknown
  /** Requests the answer again. The old value stays until the new one has arrived. */
  readonly again: () => void
}

/** Requests an answer once, and again whenever `key` changes. */
export function useAsked<Value>(key: string, ask: (signal: AbortSignal) => Promise<Value>): Asked<Value> {
  const [state, setState] = useState<{ value: Value | undefined; error: unknown }>({
    value: undefined,
    error: undefined,
  })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const ending = new AbortController()
    ask(ending.signal).then(
      (value) => {
        if (!ending.signal.aborted) setState({ value, error: undefined })
      },
      (error) => {
        if (!ending.signal.aborted) setState((before) => ({ ...before, error }))
      },
    )
    return () => ending.abort()
  }, [key, tries])
  return { ...state, again: () => setTries((before) => before + 1) }
}
