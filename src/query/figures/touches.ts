import { arrayOfTexts, packedTexts } from '../language/packed-texts.ts'
import type { Selection } from '../language/scope.ts'
import { type Fragment, sql, uint8 } from '../language/sql.ts'
import { foreignReferrer } from '../tables/referrers.ts'
import { shownViews } from '../tables/views.ts'
import { orderLength, withOrder } from './visit-facts.ts'

/**
 * The ad network that a view's first click id belongs to. `fbclid` is not included, because every link out of Facebook
 * has it.
 */
const network = sql`multiIf(
  gclid != '', 'Google Ads', msclkid != '', 'Microsoft Ads', ttclid != '', 'TikTok Ads', li_fat_id != '', 'LinkedIn Ads',
  twclid != '', 'Twitter Ads (X)', '')`

/**
 * The lists of an attribution. The expression for each list computes a touch's name in this list from the touch's page
 * view.
 */
const lists = {
  referrer: foreignReferrer,
  paidAds: network,
  utm_source: sql`utm_source`,
  utm_medium: sql`utm_medium`,
  utm_campaign: sql`utm_campaign`,
  utm_content: sql`utm_content`,
  utm_term: sql`utm_term`,
} as const

/** The names of a touch in all lists, packed into one string. */
const touchText = packedTexts(Object.values(lists))

/** The lists in order. A list's index is its number in the statement. */
export const touchLists = Object.keys(lists) as (keyof typeof lists)[]

export type ClickModel = 'first-click' | 'last-click'

interface Credit {
  /** The rank of a landing: one byte, which says whether the landing is direct. */
  readonly rank: Fragment
  /** Picks the string of the landing that gets the credit. Strings begin with the rank and the order. */
  readonly pick: (texts: Fragment) => Fragment
}

/** The first or last landing that is not direct, or the first or last of all landings if all are direct. */
const credits: Readonly<Record<ClickModel, Credit>> = {
  'first-click': { rank: sql`if(channel = 'direct', '1', '0')`, pick: (texts) => sql`min(${texts})` },
  'last-click': { rank: sql`if(channel = 'direct', '0', '1')`, pick: (texts) => sql`max(${texts})` },
}

/** `landed` contains the order, the rank and the names, one after another. Comparisons put the rank first. */
const rankIn = sql`substring(landed, ${uint8(orderLength + 1)}, 1)`
const byRank = sql`concat(${rankIn}, landed)`
const namesBehind = (byRank: Fragment): Fragment => sql`substring(${byRank}, ${uint8(1 + orderLength + 1 + 1)})`
const instantIn = sql`byteSwap(reinterpretAsUInt64(substring(landed, 1, 8)))`

/** A subquery with the landing of each of these sessions' visits: `session`, and `landed` (order, rank and names). */
const landingsOf = (selection: Selection, rank: Fragment, isOfSessions: Fragment): Fragment => sql`(
  select any(session_id) as session, min(${withOrder(sql`concat(${rank}, ${touchText})`)}) as landed
  ${shownViews(selection, isOfSessions)}
  group by visit_id
)`

/**
 * `from …`: the touches that get the credit, with their `names` in all lists. For each session with a conversion (`from
 * … where …`), one of its landings up to its last conversion gets the credit.
 */
export function creditedTouches(selection: Selection, conversions: Fragment, model: ClickModel): Fragment {
  const { rank, pick } = credits[model]
  const isConverting = sql`session_id global in (select session_id ${conversions})`
  return sql`from (
    select ${namesBehind(pick(byRank))} as touch, ${arrayOfTexts(sql`touch`, touchLists.length)} as names
    from ${landingsOf(selection, rank, isConverting)} as landings
    inner join (
      select session_id as converting, max(toUnixTimestamp64Milli(created_at)) as converted ${conversions} group by session_id
    ) as conversions on session = converting
    where ${instantIn} <= converted
    group by session
  )`
}
