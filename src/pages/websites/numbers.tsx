import { useEffect, useState } from 'preact/hooks'
import { type Making, MakingContext } from '../dashboard/cards/making.ts'
import { reasonOf } from '../session/reason.ts'
import type { Session } from '../session/session.ts'
import { isAbsent, NoWebsite } from './no-website.tsx'
import { mayChange } from './rights.ts'
import { Tag } from './settings/tag.tsx'

interface NumbersProps {
  readonly session: Session
  readonly websiteId: string
}

type Dashboard = typeof import('../dashboard/page.tsx')

/**
 * The whole dashboard of a website. Only this page loads the dashboard's code, and only users who may change the
 * website load the forms.
 */
export function Numbers({ session: { token, fetch, client }, websiteId }: NumbersProps) {
  const [loaded, setLoaded] = useState<Dashboard | undefined>(undefined)
  const [making, setMaking] = useState<Making | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  useEffect(() => {
    import('../dashboard/page.tsx').then(setLoaded, setError)
    const ending = new AbortController()
    mayChange(client, websiteId, ending.signal).then(
      async (may) => may && setMaking((await import('./making/index.tsx')).making),
      // The page itself reports errors.
      () => undefined,
    )
    return () => ending.abort()
  }, [])
  if (!loaded)
    return (
      <main class="page">
        {error === undefined ? <p class="unseen">Loading…</p> : <p role="alert">{reasonOf(error)}</p>}
      </main>
    )
  const access = { by: 'key', key: token, subject: { kind: 'website', id: websiteId }, fetch } as const
  return (
    <MakingContext.Provider value={making}>
      <loaded.DashboardPage
        {...{ access, empty: <Tag client={client} websiteId={websiteId} /> }}
        refused={(refusal) => isAbsent(refusal) && <NoWebsite error={refusal} />}
      />
    </MakingContext.Provider>
  )
}
