import { useEffect, useState } from 'preact/hooks'
import { type Making, MakingContext } from '../dashboard/cards/making.ts'
import { poll } from '../parts/polling.ts'
import { Failed } from '../session/failed.tsx'
import type { Session } from '../session/session.ts'
import { isAbsent, NoWebsite } from './no-website.tsx'
import { mayChange } from './rights.ts'
import { Tag } from './settings/tag.tsx'

interface NumbersProps {
  readonly session: Session
  readonly websiteId: string
}

/** Milliseconds until the page asks for the user's rights again, if they could not be read. */
const pause = 1000

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
    const ask = async (signal: AbortSignal) => {
      const may = await mayChange(client, websiteId, signal)
      if (may) import('./making/index.tsx').then(({ making }) => setMaking(making), setError)
      return true
    }
    return poll({ ask, pause })
  }, [])
  // Once a script has failed to load, browsers do not try again until the page is reloaded.
  const failed = error !== undefined && <Failed error={error} again={() => location.reload()} />
  if (!loaded) return <main class="page">{failed || <p class="unseen">Loading…</p>}</main>
  const access = { by: 'key', key: token, subject: { kind: 'website', id: websiteId }, fetch } as const
  return (
    <MakingContext.Provider value={making}>
      {failed}
      <loaded.DashboardPage
        {...{ access, empty: <Tag client={client} websiteId={websiteId} /> }}
        refused={(refusal) => isAbsent(refusal) && <NoWebsite error={refusal} />}
      />
    </MakingContext.Provider>
  )
}
