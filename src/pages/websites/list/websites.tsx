import type { Answer } from '@weir/client'
import { useState } from 'preact/hooks'
import { Sparkline } from '../../parts/sparkline.tsx'
import type { Session } from '../../session/session.ts'
import { Keys, useKeys } from '../keys/keys.tsx'
import { ownWebsites } from '../own-websites.ts'
import { Pages, type Part, usePaged } from '../paged.tsx'
import { useKeptFocus } from '../use-kept-focus.ts'
import { Boards } from './boards.tsx'
import { FromUmami } from './from-umami.tsx'
import { NewWebsite } from './new-website.tsx'

interface Row {
  /** The owner; undefined if it is this user. */
  readonly owner: string | undefined
  readonly website: Answer<'listWebsites'>['data'][number]
  /** The number of visitors in the last 24 hours; undefined if it cannot be read. */
  readonly visitors: number | undefined
  /** The numbers of visitors in the last week, by half day. */
  readonly week: readonly number[]
}

interface List {
  readonly count: number
  readonly rows: readonly Row[]
}

/** A page of the user's websites (for an admin, of all websites), with visitors. It takes three requests. */
async function listOf(session: Session, part: Part, signal: AbortSignal): Promise<List> {
  const { client, user } = session
  const { data, count } = await ownWebsites(session, part, signal)
  if (data.length === 0) return { count, rows: [] }
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const charts = (period: '24h' | '7d') =>
    client.getWebsitesCharts({ ids: data.map(({ id }) => id).join(','), period, timezone }, { signal }).then(
      (answer) => answer.data,
      () => ({}) as Answer<'getWebsitesCharts'>['data'],
    )
  const [last, week] = await Promise.all([charts('24h'), charts('7d')])
  const rows = data.map((website) => ({
    ...{
      website,
      owner: ownerOf(website, user.id),
      visitors: last[website.id]?.total,
      week: week[website.id]?.values ?? [],
    },
  }))
  return { count, rows }
}

/** The owner of a website; undefined if it is this user. */
function ownerOf({ user, teamName }: Row['website'], own: string): string | undefined {
  if (teamName !== undefined) return `Team ${teamName}`
  return user?.id === own ? undefined : (user?.username ?? 'No owner')
}

/** The user's websites, boards and keys. */
export function Websites({ session }: { readonly session: Session }) {
  const [isMaking, setMaking] = useState(false)
  const list = usePaged((part, signal) => listOf(session, part, signal))
  const keys = useKeys(session)
  const root = useKeptFocus<HTMLElement>(isMaking)
  const mayMake = session.user.role !== 'view-only'
  const { rows, count } = list.value ?? { rows: undefined, count: 0 }
  const isEmpty = rows !== undefined && count === 0 && list.search === ''
  return (
    <main class="page" ref={root}>
      <div class="head">
        <h1>Websites</h1>
        {mayMake && !isMaking && !isEmpty && (rows || list.error !== undefined) && (
          <button type="button" class="control is-main" onClick={() => setMaking(true)}>
            New website
          </button>
        )}
      </div>
      {mayMake && (isMaking || isEmpty) && (
        <NewWebsite session={session} cancel={isEmpty ? undefined : () => setMaking(false)} />
      )}
      {isEmpty && !mayMake && <p class="quiet">You cannot see any website yet. Ask an admin.</p>}
      <Pages list={list} label="Name or domain">
        <ul class="websites">
          {rows?.map((row) => (
            <WebsiteRow key={row.website.id} row={row} />
          ))}
        </ul>
      </Pages>
      {/* Rows that arrive above these would move them from under the pointer. */}
      <div class="below" hidden={!rows && list.error === undefined}>
        <Boards session={session} />
        <Keys session={session} list={keys} />
        {session.user.isAdmin && <FromUmami client={session.client} />}
      </div>
    </main>
  )
}

const WebsiteRow = ({ row: { website, owner, visitors, week } }: { readonly row: Row }) => (
  <li class="card website">
    <p class="website-name">
      <a href={`/websites/${website.id}`}>
        <bdi>{website.name}</bdi>
      </a>
      <span class="quiet">
        <bdi>{website.domain}</bdi>
        {owner !== undefined && (
          <>
            {' '}
            · <bdi>{owner}</bdi>
          </>
        )}
      </span>
    </p>
    <Sparkline values={week} />
    <p class="website-visitors">
      <strong>{visitors === undefined ? '–' : new Intl.NumberFormat().format(visitors)}</strong>{' '}
      <span class="quiet">{visitors === 1 ? 'visitor' : 'visitors'} in 24 hours</span>
    </p>
    <a class="control" href={`/websites/${website.id}/settings`}>
      Settings<span class="unseen"> of {website.name}</span>
    </a>
  </li>
)
