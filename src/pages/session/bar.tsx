import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ThemePicker } from '../parts/theme.tsx'
import type { Session } from './session.ts'

/**
 * The bar at the top of each page for a signed-in user. `children` are further links, after the link to all websites.
 */
export function Bar({ session, children }: { readonly session: Session; readonly children?: ComponentChildren }) {
  return (
    <>
      <header class="bar">
        <nav aria-label="Weir">
          <a class="brand" href="/">
            Weir
          </a>
          <PageLink href="/websites">Websites</PageLink>
          {children}
          {session.user.isAdmin && (
            <>
              <PageLink href="/users">Users</PageLink>
              <PageLink href="/audit">Audit log</PageLink>
            </>
          )}
          <a href="/explorer">Explorer</a>
          <a href="/docs/api.md">Docs</a>
        </nav>
        <nav class="bar-user" aria-label="You">
          <PageLink href="/account">
            <span class="unseen">Account of </span>
            <bdi>{session.user.username}</bdi>
          </PageLink>
          <ThemePicker otherwise={undefined} />
          <button type="button" class="control" onClick={session.signOut}>
            Sign out
          </button>
        </nav>
      </header>
      {session.hasPrintedPassword && location.pathname !== '/account' && <OwnPassword />}
    </>
  )
}

const PageLink = ({ href, children }: { readonly href: string; readonly children: ComponentChildren }) => (
  <a href={href} aria-current={location.pathname === href ? 'page' : undefined}>
    {children}
  </a>
)

/** Suggests that the user choose a password. */
function OwnPassword() {
  const [isOver, setOver] = useState(false)
  if (isOver) return null
  return (
    <aside class="proposal" aria-label="Password">
      <p>You signed in with a password that Weir printed. Choose your own.</p>
      <a class="control is-main" href="/account">
        Change password
      </a>
      <button type="button" class="control" onClick={() => setOver(true)}>
        Not now
      </button>
    </aside>
  )
}
