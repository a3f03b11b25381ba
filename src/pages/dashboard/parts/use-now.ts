import { useEffect, useState } from 'preact/hooks'

const minute = 60_000

/** The time in milliseconds since 1970. It advances each minute while the page is visible. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const look = () => {
      if (!document.hidden) setNow(Date.now())
    }
    const timer = setInterval(look, minute)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return now
}
