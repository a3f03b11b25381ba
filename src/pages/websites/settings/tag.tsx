import type { WeirClient } from '@weir/client'
import { useEffect, useState } from 'preact/hooks'
import { Copyable } from '../../parts/copyable.tsx'
import { poll } from '../../parts/polling.ts'
import { Reasons } from './reasons.tsx'

interface TagProps {
  readonly client: WeirClient
  readonly websiteId: string
}

/** Milliseconds between two checks for the first event. */
const pause = 3000

/** Shows the script tag, and whether the first event has arrived. Until then, shows what to do. */
export function Tag({ client, websiteId }: TagProps) {
  const last = useLastEvent(client, websiteId)
  const tag = `<script defer src="${location.origin}/script.js" data-website-id="${websiteId}"></script>`
  return (
    <section class="card part" aria-labelledby="tag">
      <h2 id="tag">Tracking code</h2>
      <p>
        Paste this into the <code>&lt;head&gt;</code> of each page. It sets no cookie.
      </p>
      <Copyable text={tag} what="the tag" />
      <p class="state" role="status" data-state={last === null ? 'waits' : last === undefined ? 'unknown' : 'counts'}>
        <span class="pulse" aria-hidden="true" />
        <span>{textOf(last)}</span>
      </p>
      {last === null && <Reasons client={client} websiteId={websiteId} />}
      {last && (
        <a class="control is-main" href={`/websites/${websiteId}`}>
          See the numbers
        </a>
      )}
    </section>
  )
}

function textOf(last: string | null | undefined): string {
  if (last === undefined) return 'Looking for events…'
  if (last === null) return 'Waiting for the first event. Open one of your pages.'
  return `Receiving events. The last event arrived on ${new Date(last).toLocaleString()}.`
}

/**
 * The time of the last event in ISO 8601. Null if there are no events, undefined while unknown. Polls until an event
 * arrives.
 */
function useLastEvent(client: WeirClient, websiteId: string): string | null | undefined {
  const [last, setLast] = useState<string | null | undefined>(undefined)
  useEffect(() => {
    const ask = async (signal: AbortSignal) => {
      const { endDate } = await client.getWebsiteDateRange({ websiteId }, { signal })
      if (!signal.aborted) setLast(endDate)
      return endDate !== null
    }
    return poll({ ask, pause })
  }, [client, websiteId])
  return last
}
