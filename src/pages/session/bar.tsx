import type { ComponentChildren } from 'preact'
import type { Session } from './session.ts'

/** The bar over each page of somebody who is signed in. `children` are links beside that to all websites. */
export function Bar({ session, children }: { readonly session: Session; readonly children?: ComponentChildren }) {
  return (
    <header class="bar">
      <nav aria-label="Weir">
        <a class="brand" href="/">
          Weir
        </a>
        <a href="/websites" aria-current={location.pathname === '/websites' ? 'page' : undefined}>
          Websites
        </a>
        {children}
        <a href="/explorer">Explorer</a>
        <a href="/docs/api.md">Docs</a>
      </nav>
      <div class="bar-user">
        <bdi class="quiet">{session.user.username}</bdi>
        <button type="button" class="control" onClick={session.signOut}>
          Sign out
        </button>
      </div>
    </header>
  )
}
