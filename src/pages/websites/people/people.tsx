import { useEffect } from 'preact/hooks'
import type { Session } from '../../session/session.ts'
import { Teams } from './teams.tsx'
import { Users } from './users.tsx'

/** All users and teams, for admins. */
export function People({ session }: { readonly session: Session }) {
  useEffect(() => {
    document.title = 'Users and teams · Weir'
  }, [])
  return (
    <main class="page settings">
      <div class="head">
        <h1>Users and teams</h1>
      </div>
      {session.user.isAdmin ? (
        <>
          <Users session={session} />
          <Teams session={session} />
        </>
      ) : (
        <p role="alert">Only admins see this page.</p>
      )}
    </main>
  )
}
