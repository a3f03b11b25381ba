import { useEffect } from 'preact/hooks'
import { nameInTitle } from '../../parts/name-in-title.ts'
import { useAsked } from '../../parts/use-asked.ts'
import type { Session } from '../../session/session.ts'
import { Keys, useKeys } from '../keys/keys.tsx'
import { NoWebsite } from '../no-website.tsx'
import { useOwnTeams } from '../people/own-teams.ts'
import { isDenied } from '../rights.ts'
import { SharesOf, useShares } from '../shares/shares.tsx'
import { General } from './general.tsx'
import { Grave } from './grave.tsx'
import { Public } from './public.tsx'
import { Recorder } from './recorder.tsx'
import { Retention } from './retention.tsx'
import { Tag } from './tag.tsx'

interface SettingsProps {
  readonly session: Session
  readonly websiteId: string
}

/**
 * The settings of a website: tag, access, recorder, transfer and deletion. Controls are hidden from users who may not
 * use them.
 */
export function Settings({ session, websiteId }: SettingsProps) {
  const { client } = session
  const website = useAsked(websiteId, (signal) => client.getWebsite({ websiteId }, { signal }))
  const shares = useShares({ client, kind: 'website', id: websiteId })
  const [keys, teams] = [useKeys(session), useOwnTeams(session)]
  // Only who may change a website sees its shares.
  const mayChange = shares.value ? true : isDenied(shares.error) ? false : undefined
  const name = website.value?.name
  useEffect(() => {
    if (name !== undefined) document.title = `${nameInTitle(name)} · Weir`
  }, [name])
  const error = website.error ?? shares.error
  if (error !== undefined && !(website.value && mayChange !== undefined)) return <NoWebsite error={error} />
  // Lists that arrive later would move what stands below them.
  if (!website.value || ![shares, keys, teams].every((one) => one.value !== undefined || one.error !== undefined)) {
    return (
      <main class="page">
        <p class="unseen">Loading…</p>
      </main>
    )
  }
  return (
    <main class="page settings">
      <div class="head">
        <div class="title">
          <h1>
            <bdi>{website.value.name}</bdi>
          </h1>
          <bdi class="quiet">{website.value.domain}</bdi>
        </div>
      </div>
      <Tag client={client} websiteId={websiteId} />
      {mayChange && (
        <>
          <section class="card part" aria-labelledby="shares">
            <h2 id="shares">Share links</h2>
            <p class="quiet">Anyone with a link sees what you choose, without an account, until you delete it.</p>
            <SharesOf {...{ client, kind: 'website', id: websiteId, list: shares }} />
          </section>
          <Public client={client} website={website.value} changed={website.again} />
        </>
      )}
      <Keys {...{ session, list: keys, website: website.value }} />
      {mayChange && (
        <>
          <Recorder client={client} website={website.value} changed={website.again} />
          <Retention client={client} website={website.value} changed={website.again} />
          <General client={client} website={website.value} changed={website.again} />
          <Grave {...{ session, website: website.value, teams }} />
        </>
      )}
    </main>
  )
}
