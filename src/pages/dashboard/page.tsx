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
  /** Shown instead of the numbers until the first event arrives. */
  readonly empty?: ComponentChildren
  /** Shown instead of the page if access is refused; by default, the reason and a button to try again. */
  readonly refused?: (error: unknown) => ComponentChildren
}

/** The whole page for an access. Other pages may also render it. */
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
    // The first of these themes that is set: the frame's, the viewer's choice, the share's.
    showTheme((isEmbedded ? theme : chosenTheme()) ?? opening?.theme)
  }, [opening])
  if (opening) return <App opening={opening} empty={empty} />
  const refusal = error ? refused?.(error) : undefined
  if (refusal) return <>{refusal}</>
  return <main class="page">{error ? <Fault error={error} retry={open} /> : <p class="unseen">Loading…</p>}</main>
}
