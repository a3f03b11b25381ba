import { useEffect, useState } from 'preact/hooks'

/** The page's query string, and a function that changes some parameters. Empty parameters are removed. */
export function useQuery(): readonly [URLSearchParams, (change: Readonly<Record<string, string>>) => void] {
  const [search, setSearch] = useState(location.search)
  useEffect(() => {
    const follow = () => setSearch(location.search)
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const go = (change: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(change)) {
      if (value === '') query.delete(name)
      else query.set(name, value)
    }
    const text = query.size > 0 ? `?${query}` : ''
    history.pushState(null, '', location.pathname + text)
    setSearch(text)
  }
  return [new URLSearchParams(search), go]
}
