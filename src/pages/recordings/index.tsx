import { render } from 'preact'
import { Bar } from '../session/bar.tsx'
import type { Session } from '../session/session.ts'
import { SignedIn } from '../session/signed-in.tsx'
import { HeatmapPage } from './heatmap/heatmap-page.tsx'
import { ReplaysPage } from './list/replays-page.tsx'
import { ReplayPage } from './replay/replay-page.tsx'

const [, kind, websiteId = '', replayId] = location.pathname.split('/')

function Page({ session }: { readonly session: Session }) {
  return (
    <>
      <Bar session={session}>
        <a href={`/replays/${websiteId}`} aria-current={kind === 'replays' && !replayId ? 'page' : undefined}>
          Replays
        </a>
        <a href={`/heatmaps/${websiteId}`} aria-current={kind === 'heatmaps' ? 'page' : undefined}>
          Heatmaps
        </a>
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
