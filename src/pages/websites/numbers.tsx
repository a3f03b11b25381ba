import { useEffect, useState } from 'preact/hooks'
import { reasonOf } from '../session/reason.ts'
import type { Session } from '../session/session.ts'
import { Tag } from './settings/tag.tsx'

interface NumbersProps {
  readonly session: Session
  readonly websiteId: string
}

type Dashboard = typeof import('../dashboard/page.tsx')

/** The dashboard of a website, as the user may see it: everything. Its code is loaded for this page alone. */
export function Numbers({ session: { token, fetch, client }, websiteId }: NumbersProps) {
  const [loaded, setLoaded] = useState<Dashboard | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  useEffect(() => {
    import('../dashboard/page.tsx').then(setLoaded, setError)
  }, [])
  if (!loaded)
    return (
      <main class="page">
        {error === undefined ? <p class="unseen">Loading…</p> : <p role="alert">{reasonOf(error)}</p>}
      </main>
    )
  return (
    <loaded.DashboardPage
      access={{ by: 'key', key: token, subject: { kind: 'website', id: websiteId }, fetch }}
      empty={<Tag client={client} websiteId={websiteId} />}
    />
  )
}
