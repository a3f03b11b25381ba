import { columnInstant } from './instants.ts'
import { matchesOf } from './matches.ts'
import type { Answer, IngestRow } from './model.ts'
import { only } from './paging.ts'
import type { Reading } from './reading.ts'
import { foreignReferrer } from './referrers.ts'
import { bySession } from './sessions.ts'
import type { Sets } from './sets.ts'
import { compareText } from './text.ts'
import { distinctSessions } from './totals.ts'
import { compareEvents, grouped, type Visit } from './visits.ts'

const CLICKS = [
  ['gclid', 'Google Ads'],
  ['msclkid', 'Microsoft Ads'],
  ['ttclid', 'TikTok Ads'],
  ['li_fat_id', 'LinkedIn Ads'],
  ['twclid', 'Twitter Ads (X)'],
] as const

const LISTS: { [name: string]: (touch: IngestRow) => string } = {
  referrer: foreignReferrer,
  paidAds: (touch) => CLICKS.find(([column]) => (touch[column] ?? '') !== '')?.[1] ?? '',
  utm_source: (touch) => touch.utm_source,
  utm_medium: (touch) => touch.utm_medium,
  utm_campaign: (touch) => touch.utm_campaign,
  utm_content: (touch) => touch.utm_content,
  utm_term: (touch) => touch.utm_term,
}

/** The attribution report: where the sessions that reached a step came from. */
export function attribution(sets: Sets, { settings }: Reading): Answer {
  const conversions = matchesOf(sets, settings.get('type') ?? '', settings.get('step') ?? '')
  const touches = [...bySession(conversions).values()].flatMap((some) => {
    const touch = credited(touchesBefore(some.at(-1)!, sets), settings.get('model') ?? '')
    return touch === undefined ? [] : [touch.landing]
  })
  const limit = Number(settings.get('limit') ?? 500)
  const lists = Object.entries(LISTS).map(([name, textOf]) => [name, counted(touches.map(textOf)).slice(0, limit)])
  return only({
    ...Object.fromEntries(lists),
    total: {
      pageviews: conversions.length,
      visitors: distinctSessions(conversions),
      visits: new Set(conversions.map((row) => row.visit_id)).size,
    },
  })
}

/** The session's visits that began no later than its last conversion, oldest first. */
function touchesBefore(conversion: IngestRow, { visits }: Sets): Visit[] {
  return [...visits.values()]
    .filter(({ landing }) => landing.session_id === conversion.session_id)
    .filter(({ landing }) => columnInstant(landing.created_at) <= columnInstant(conversion.created_at))
    .sort((left, right) => compareEvents(left.landing, right.landing))
}

function credited(touches: Visit[], model: string): Visit | undefined {
  if (model !== 'first-click' && model !== 'last-click') throw new Error(`Oracle: no such model: ${model}`)
  const others = touches.filter(({ channel }) => channel !== 'direct')
  const candidates = others.length === 0 ? touches : others
  return model === 'first-click' ? candidates[0] : candidates.at(-1)
}

function counted(names: string[]): { name: string; value: number }[] {
  return [
    ...grouped(
      names.filter((name) => name !== ''),
      (name) => name,
    ),
  ]
    .map(([name, same]) => ({ name, value: same.length }))
    .sort((left, right) => right.value - left.value || compareText(left.name, right.name))
}
