import { useEffect } from 'preact/hooks'
import { nameInTitle } from '../../parts/name-in-title.ts'
import { useAsked } from '../../parts/use-asked.ts'
import type { Session } from '../../session/session.ts'
import { Keys } from '../keys/keys.tsx'
import { NoWebsite } from '../no-website.tsx'
import { mayChange } from '../rights.ts'
import { Shares } from '../shares/shares.tsx'
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
  const rights = useAsked(websiteId, (signal) => mayChange(client, websiteId, signal))
  const name = website.value?.name
  useEffect(() => {
    if (name !== undefined) document.title = `${nameInTitle(name)} · Weir`
  }, [name])
  const error = website.error ?? rights.error
  if (error !== undefined && !(website.value && rights.value !== undefined)) return <NoWebsite error={error} />
  if (!website.value || rights.value === undefined) {
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
      {rights.value && (
        <>
          <section class="card part" aria-labelledby="shares">
            <h2 id="shares">Share links</h2>
            <p class="quiet">Anyone with a link sees what you choose, without an account, until you delete it.</p>
            <Shares client={client} kind="website" id={websiteId} />
          </section>
          <Public client={client} website={website.value} changed={website.again} />
        </>
      )}
      <Keys session={session} website={website.value} />
      {rights.value && (
        <>
          <Recorder client={client} website={website.value} changed={website.again} />
          <Retention client={client} website={website.value} changed={website.again} />
          <General client={client} website={website.value} changed={website.again} />
          <Grave session={session} website={website.value} />
        </>
      )}
    </main>
  )
}
