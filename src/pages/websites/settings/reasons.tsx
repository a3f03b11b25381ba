import type { Answer, WeirClient } from '@weir/client'
import { useEffect, useState } from 'preact/hooks'
import { poll } from '../../parts/polling.ts'

interface ReasonsProps {
  readonly client: WeirClient
  readonly websiteId: string
}

type Collected = Answer<'getWebsiteCollection'>

/** Milliseconds between two checks. */
const pause = 5000

/** Possible reasons why no event has arrived, with the numbers of refused events. Opened by the user. */
export function Reasons({ client, websiteId }: ReasonsProps) {
  const [isOpen, setOpen] = useState(false)
  const [collected, setCollected] = useState<Collected | undefined>(undefined)
  useEffect(() => {
    if (!isOpen) return
    const ask = async (signal: AbortSignal) => {
      const found = await client.getWebsiteCollection({ websiteId }, { signal })
      if (!signal.aborted) setCollected(found)
      return false
    }
    return poll({ ask, pause })
  }, [client, websiteId, isOpen])
  return (
    <details class="reasons" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Why events may be missing</summary>
      <p role="status">{collected && textOf(collected)}</p>
      <ul>
        <li>
          <b>Id.</b> The tag in your page has the id of another website. Copy the tag above.
        </li>
        <li>
          <b>Script.</b> The tag is not in the page that visitors get, or a Content-Security-Policy stops it. It needs{' '}
          <code>{location.origin}</code> in <code>script-src</code> and <code>connect-src</code>.
        </li>
        <li>
          <b>Blocker.</b> Your browser blocks trackers. Try one without extensions.
        </li>
        <li>
          <b>Bot.</b> Bots are not counted, nor are browsers controlled by programs.
        </li>
        <li>
          <b>Domain.</b> If the tag has <code>data-domains</code>, it counts on these hosts only.
        </li>
      </ul>
    </details>
  )
}

/** A sentence about the events of the last hour, by outcome. */
function textOf({ since, stored, bots, blocked, full, refused }: Collected): string {
  const moment = new Date(since).toLocaleTimeString(undefined, { timeStyle: 'short' })
  const all: readonly (readonly [count: number, what: string])[] = [
    [bots, 'from bots'],
    [blocked, 'from blocked addresses'],
    [full, 'refused because the log is full: try again later'],
    ...Object.entries(refused).map(([field, count]) => [count, `refused because of “${field}”`] as const),
    [stored, 'stored: they appear within seconds'],
  ]
  const seen = all.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))
  if (seen.length === 0)
    return `Since ${moment}, Weir has seen no event with this id. Events from bots would be listed here.`
  return `Events with this id since ${moment}: ${seen.join(', ')}.`
}
