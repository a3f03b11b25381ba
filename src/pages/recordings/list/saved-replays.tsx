import { useAsked } from '../../parts/use-asked.ts'
import { momentText } from '../moments.ts'
import { Unread } from '../unread.tsx'
import type { ListProps } from './all-replays.tsx'
import { Pages, pageOf, pageSize } from './pages.tsx'

/** Saved replays, newest first. Unlike other replays, they do not expire. */
export function SavedReplays({ session, websiteId, query, go }: ListProps) {
  const search = query.get('search')
  const { value, error, again } = useAsked(`saved ${websiteId} ${query}`, (signal) =>
    session.client.getWebsiteSavedReplays(
      { websiteId, page: pageOf(query), pageSize, ...(search && { search }) },
      { signal },
    ),
  )
  if (error !== undefined || value === undefined) return <Unread {...{ error, again }} />
  if (value.count === 0) return <p class="notice">No replay is saved here.</p>
  return (
    <>
      <ol class="card replays">
        {value.data.map(({ id, name, visitId, createdAt, isViewed, distinctIds }) => (
          <li key={id}>
            <a class="replay-row" href={`/replays/${websiteId}/${visitId}`} data-seen={isViewed}>
              <bdi>{name === '' ? 'Without a name' : name}</bdi>
              <bdi class="quiet">{distinctIds[0] ?? ''}</bdi>
              <span class="quiet">saved {momentText(createdAt)}</span>
              <span class="seen">{isViewed ? 'seen' : 'new'}</span>
            </a>
          </li>
        ))}
      </ol>
      <Pages {...{ query, go }} count={value.count} />
    </>
  )
}
