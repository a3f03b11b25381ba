import { PageHead, type SitePageProps } from '../page-head.tsx'
import { PeriodChoice, periodOf } from '../period.tsx'
import { useQuery } from '../use-query.ts'
import { AllReplays } from './all-replays.tsx'
import { SavedReplays } from './saved-replays.tsx'
import { Search } from './search.tsx'

/** The devices to choose from, and the shortest durations in seconds. */
const devices = { '': 'All devices', desktop: 'Desktop', laptop: 'Laptop', tablet: 'Tablet', mobile: 'Phone' }
const durations = { '': 'Any length', '10': '10 seconds or more', '60': 'a minute or more', '300': '5 minutes or more' }

/** The list of replays of a website. */
export function ReplaysPage({ session, websiteId }: SitePageProps) {
  const [query, go] = useQuery()
  const isSaved = query.get('show') === 'saved'
  const choice = (name: string, label: string, all: Readonly<Record<string, string>>) => (
    <label>
      {label}{' '}
      <select
        value={query.get(name) ?? ''}
        onChange={({ currentTarget }) => go({ [name]: currentTarget.value, page: '' })}
      >
        {Object.entries(all).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
  const tab = (text: string, show: string) => (
    <button
      type="button"
      class="control"
      aria-pressed={isSaved === (show === 'saved')}
      onClick={() => go({ show, page: '', search: '' })}
    >
      {text}
    </button>
  )
  return (
    <main class="page">
      <PageHead {...{ session, websiteId }} title="Replays">
        {tab('All', '')}
        {tab('Saved', 'saved')}
      </PageHead>
      <div class="choices-line">
        {isSaved ? null : (
          <>
            <PeriodChoice period={periodOf(query)} go={go} />
            {choice('device', 'Device', devices)}
            {choice('min', 'Length', durations)}
            <Search key="path" label="Page" name="path" {...{ query, go }} />
            <Search key="event" label="Event" name="event" {...{ query, go }} />
          </>
        )}
        <Search
          key={isSaved ? 'name' : 'visitor'}
          label={isSaved ? 'Name' : 'Visitor'}
          name="search"
          {...{ query, go }}
        />
      </div>
      {isSaved ? (
        <SavedReplays {...{ session, websiteId, query, go }} />
      ) : (
        <AllReplays {...{ session, websiteId, query, go }} />
      )}
    </main>
  )
}
