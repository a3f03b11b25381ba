import { render } from 'preact'
import { WebsiteLinks } from '../parts/website-links.tsx'
import { Bar } from '../session/bar.tsx'
import type { Session } from '../session/session.ts'
import { SignedIn } from '../session/signed-in.tsx'
import { Websites } from './list/websites.tsx'
import { Numbers } from './numbers.tsx'
import { Settings } from './settings/settings.tsx'

// /websites, /websites/<id> or /websites/<id>/settings
const [, , websiteId, part] = location.pathname.split('/')

function Page({ session }: { readonly session: Session }) {
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
              <WebsiteLinks websiteId={websiteId} current={part === 'settings' ? 'Settings' : 'Numbers'} />
            )}
          </Bar>
          <Page session={session} />
        </>
      )}
    </SignedIn>,
    root,
  )
}
