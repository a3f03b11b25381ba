import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Session } from '../../session/session.ts'

interface AdminsOnlyProps {
  readonly session: Session
  readonly title: string
  readonly children: ComponentChildren
}

/** A page that only admins see. */
export function AdminsOnly({ session, title, children }: AdminsOnlyProps) {
  useEffect(() => {
    document.title = `${title} · Weir`
  }, [])
  return (
    <main class="page settings">
      <div class="head">
        <h1>{title}</h1>
      </div>
      {session.user.isAdmin ? children : <p role="alert">Only admins see this page.</p>}
    </main>
  )
}
