import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { chosenTheme, showTheme } from '../parts/theme.tsx'
import { readAddress } from './address/address.ts'
import { App } from './app.tsx'
import type { Access } from './data/access.ts'
import { openingBy } from './data/data.ts'
import { givenOpening } from './data/given.ts'
import { Fault } from './parts/notice.tsx'

interface DashboardPageProps {
  readonly access: Access
  /** What stands in place of the numbers until the first event. */
  readonly empty?: ComponentChildren
  /** What stands in place of a page that is refused; nothing for a reason and a button to try again. */
  readonly refused?: (error: unknown) => ComponentChildren
}

/** The whole page of what the access opens. Other pages may mount it, too. */
export function DashboardPage({ access, empty, refused }: DashboardPageProps) {
  const [opening, setOpening] = useState(() => givenOpening(access))
  const [error, setError] = useState<unknown>(undefined)
  const key = JSON.stringify(access)
  const open = () => {
    let isCurrent = true
    setError(undefined)
    openingBy(access).then(
      (found) => isCurrent && setOpening(found),
      (refusal) => isCurrent && setError(refusal),
    )
    return () => {
      isCurrent = false
    }
  }
  useEffect(() => (givenOpening(access) ? undefined : open()), [key])
  useLayoutEffect(() => {
    const { isEmbedded, theme } = readAddress(location.search)
    // That of its frame, that which the viewer chose, or that of the share.
    showTheme((isEmbedded ? theme : chosenTheme()) ?? opening?.theme)
  }, [opening])
  if (opening) return <App opening={opening} empty={empty} />
  const refusal = error ? refused?.(error) : undefined
  if (refusal) return <>{refusal}</>
  return <main class="page">{error ? <Fault error={error} retry={open} /> : <p class="unseen">Loading…</p>}</main>
}
