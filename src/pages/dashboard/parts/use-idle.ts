import { useEffect, useState } from 'preact/hooks'

/** Milliseconds after which long lists are rendered: the numbers come first. */
const patience = 1000

/** Whether the page has had time for its numbers. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), patience)
    return () => clearTimeout(timer)
  }, [])
  return isIdle
}
