import { render } from 'preact'
import { WebsiteLinks } from '../parts/website-links.tsx'
import { Bar } from '../session/bar.tsx'
import type { Session } from '../session/session.ts'
import { SignedIn } from '../session/signed-in.tsx'
import { Account } from './account/account.tsx'
import { AuditLog } from './audit/audit-log.tsx'
import { Websites } from './list/websites.tsx'
import { Numbers } from './numbers.tsx'
import { AdminsOnly } from './people/admins-only.tsx'
import { People } from './people/people.tsx'
import { Settings } from './settings/settings.tsx'

// /account, /audit, /users, /websites, /websites/<id> or /websites/<id>/settings
const [, page, websiteId, part] = location.pathname.split('/')

function Page({ session }: { readonly session: Session }) {
  if (page === 'account') return <Account session={session} />
  if (page === 'users') {
    return (
      <AdminsOnly session={session} title="Users and teams">
        <People session={session} />
      </AdminsOnly>
    )
  }
  if (page === 'audit') {
    return (
      <AdminsOnly session={session} title="Audit log">
        <AuditLog session={session} />
      </AdminsOnly>
    )
  }
  if (websiteId === undefined) return <Websites session={session} />
  return part === 'settings' ? (
    <Settings session={session} websiteId={websiteId} />
  ) : (
    <Numbers session={session} websiteId={websiteId} />
  )
}

const root = document.getElementById('websites')
if (root) {
  render(
    <SignedIn>
      {(session) => (
        <>
          <Bar session={session}>
            {websiteId !== undefined && (
              <WebsiteLinks websiteId={websiteId} current={part === 'settings' ? 'Settings' : 'Dashboard'} />
            )}
          </Bar>
          <Page session={session} />
        </>
      )}
    </SignedIn>,
    root,
  )
}
