import { useCallback, useEffect, useState } from 'preact/hooks'
import { type Address, readAddress, writeAddress } from './address.ts'

/** Changes the URL. Each change is one entry in the browser's history. */
export type Go = (change: Partial<Address>) => void

/** The state in the page's URL, and a function that changes it. */
export function useAddress(): readonly [Address, Go] {
  const [address, setAddress] = useState(() => readAddress(location.search))
  useEffect(() => {
    const read = () => setAddress(readAddress(location.search))
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])
  const go = useCallback((change: Partial<Address>) => {
    const next = { ...readAddress(location.search), ...change }
    const search = writeAddress(next)
    if (search === location.search) return
    history.pushState(null, '', `${location.pathname}${search}`)
    setAddress(next)
  }, [])
  return [address, go]
}
