import { useEffect, useState } from 'preact/hooks'

/** Long lists are rendered only after this many milliseconds, so that the numbers appear first. */
const patience = 1000

/** Whether the page has had enough time to load its numbers. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), patience)
    return () => clearTimeout(timer)
  }, [])
  return isIdle
}
