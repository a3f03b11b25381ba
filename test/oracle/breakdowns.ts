import { FIELDS, fieldText, isField } from './conditions.ts'
import { domainGroup } from './domains.ts'
import { primarySubtag } from './languages.ts'
import type { Answer, IngestRow } from './model.ts'
import { list } from './paging.ts'
import type { Reading } from './reading.ts'
import { foreignReferrer, referringDomain } from './referrers.ts'
import type { Sets } from './sets.ts'
import { compareText, containsIgnoringCase, splitList } from './text.ts'
import { totals } from './totals.ts'
import { grouped, type Visit } from './visits.ts'

/** The value of a view in this visit. */
const OF_VIEWS: { [type: string]: (view: IngestRow, visit: Visit) => string } = {
  path: (view) => view.url_path,
  referrer: foreignReferrer,
  hostname: (view) => view.hostname,
  channel: (_, visit) => visit.channel,
  fullPath: (view) => (view.url_query === '' ? view.url_path : `${view.url_path}?${view.url_query}`),
  title: (view) => view.page_title,
  query: (view) => view.url_query,
  domain: (view) => domainGroup(referringDomain(view)),
  entry: (_, visit) => visit.landing.url_path,
  exit: (_, visit) => visit.exit.url_path,
  tag: (view) => view.tag,
  utmSource: (view) => view.utm_source,
  utmMedium: (view) => view.utm_medium,
  utmCampaign: (view) => view.utm_campaign,
  utmContent: (view) => view.utm_content,
  utmTerm: (view) => view.utm_term,
  browser: (view) => view.browser,
  os: (view) => view.os,
  device: (view) => view.device,
  country: (view) => view.country,
  region: (view) => view.region,
  city: (view) => view.city,
  screen: (view) => view.screen,
  distinctId: (view) => view.distinct_id,
  language: (view) => primarySubtag(view.language),
}

export const METRIC_TYPES = [...Object.keys(OF_VIEWS), 'event']

/** The events that share a value. Regions and cities with the same name in different countries are different. */
type Group = { name: string; country?: string; events: IngestRow[] }

function groupsOf({ views, customEvents, visits }: Sets, { settings }: Reading): Group[] {
  const type = settings.get('type') ?? ''
  const search = settings.get('search') ?? ''
  const valueIn = OF_VIEWS[type]
  if (type !== 'event' && valueIn === undefined) throw new Error(`Oracle: no such type: ${type}`)
  const named =
    valueIn === undefined
      ? customEvents.map((event) => ({ name: event.event_name, event }))
      : views.map((view) => ({ name: valueIn(view, visits.get(view.visit_id)!), event: view }))
  const kept = named.filter(({ name }) => name !== '' && containsIgnoringCase(name, search))
  const hasCountry = type === 'region' || type === 'city'
  const groups = grouped(kept, ({ name, event }) => JSON.stringify([name, hasCountry ? event.country : '']))
  return [...groups.values()].map((some) => {
    const { name, event } = some[0]!
    return { name, ...(hasCountry ? { country: event.country } : {}), events: some.map(({ event }) => event) }
  })
}

/** Sessions by value, or events for `event`, sorted by frequency, then by value and country. */
export function metrics(sets: Sets, reading: Reading): Answer {
  const isOfEvents = reading.settings.get('type') === 'event'
  const rows = groupsOf(sets, reading).map(({ name, events, ...country }) => {
    const { pageviews, visitors } = totals(events, sets.visits)
    return { x: name, y: isOfEvents ? pageviews : visitors, ...country }
  })
  rows.sort(
    (left, right) =>
      right.y - left.y || compareText(left.x, right.x) || compareText(left.country ?? '', right.country ?? ''),
  )
  return list(reading, rows)
}

/** The figures of `stats` by value. */
export function expandedMetrics(sets: Sets, reading: Reading): Answer {
  const rows = groupsOf(sets, reading).map(({ name, events, ...country }) => ({
    name,
    ...totals(events, sets.visits),
    ...country,
  }))
  rows.sort(
    (left, right) =>
      right.visitors - left.visitors ||
      right.visits - left.visits ||
      compareText(left.name, right.name) ||
      compareText(left.country ?? '', right.country ?? ''),
  )
  return list(reading, rows)
}

/** The actions for each stored value of a field that contains one of the search texts. */
export function values(actions: IngestRow[], reading: Reading): Answer {
  const type = reading.settings.get('type') ?? ''
  const search = reading.settings.get('search')
  if (!isField(type)) throw new Error(`Oracle: no such type: ${type}; one of ${FIELDS}`)
  const texts = actions.map((row) => (type === 'referrer' ? foreignReferrer(row) : fieldText(row, type)))
  const isFound = (text: string) =>
    search === undefined || splitList(search).some((part) => containsIgnoringCase(text, part))
  const kept = texts.filter((text) => text !== '' && isFound(text))
  const rows = [...grouped(kept, (text) => text)].map(([value, same]) => ({ value, count: same.length }))
  rows.sort((left, right) => right.count - left.count || compareText(left.value, right.value))
  return list(reading, rows)
}
