import { render } from 'preact'
import { WebsiteLinks } from '../parts/website-links.tsx'
import { Bar } from '../session/bar.tsx'
import type { Session } from '../session/session.ts'
import { SignedIn } from '../session/signed-in.tsx'
import { HeatmapPage } from './heatmap/heatmap-page.tsx'
import { ReplaysPage } from './list/replays-page.tsx'
import { ReplayPage } from './replay/replay-page.tsx'

const [, kind, websiteId = '', replayId] = location.pathname.split('/')
const current = kind === 'heatmaps' ? 'Heatmaps' : replayId ? undefined : 'Replays'

function Page({ session }: { readonly session: Session }) {
  return (
    <>
      <Bar session={session}>
        <WebsiteLinks websiteId={websiteId} current={current} />
      </Bar>
      {kind === 'heatmaps' ? (
        <HeatmapPage {...{ session, websiteId }} />
      ) : replayId ? (
        <ReplayPage {...{ session, websiteId, replayId }} />
      ) : (
        <ReplaysPage {...{ session, websiteId }} />
      )}
    </>
  )
}

const root = document.getElementById('recordings')
if (root) render(<SignedIn>{(session) => <Page session={session} />}</SignedIn>, root)
