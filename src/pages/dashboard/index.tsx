import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { App } from './app.tsx'
import { openShare } from './data/data.ts'
import type { Opening } from './data/opening.ts'
import { Fault } from './parts/notice.tsx'

const slug = decodeURIComponent(location.pathname.slice('/share/'.length))

/** Opens what the path of the page names, and shows it. */
function Page() {
  const [opening, setOpening] = useState<Opening | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  const open = () => {
    setError(undefined)
    openShare(slug).then(setOpening, setError)
  }
  useEffect(open, [])
  useEffect(() => {
    if (opening?.theme) document.documentElement.dataset.theme = opening.theme
  }, [opening])
  if (opening) return <App opening={opening} />
  return <main class="page">{error ? <Fault error={error} retry={open} /> : <p class="unseen">Loading…</p>}</main>
}

const root = document.getElementById('dashboard')
if (root) render(<Page />, root)
