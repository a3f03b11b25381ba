import { packedTexts, textsIn } from './packed-texts.ts'
import { foreignReferrer } from './referrers.ts'
import type { Selection } from './scope.ts'
import { commaList, type Fragment, sql, uint8, union } from './sql.ts'
import { shownViews } from './views.ts'
import { placed, textBehind } from './visit-facts.ts'

/** The network of the first click id that a view has. */
const network = sql`multiIf(
  gclid != '', 'Google Ads', fbclid != '', 'Facebook / Meta', msclkid != '', 'Microsoft Ads', ttclid != '', 'TikTok Ads',
  li_fat_id != '', 'LinkedIn Ads', twclid != '', 'Twitter Ads (X)', '')`

/** The lists of an attribution, and the name that a touch has for each: an expression over a view. */
const lists = {
  referrer: foreignReferrer,
  paidAds: network,
  utm_source: sql`utm_source`,
  utm_medium: sql`utm_medium`,
  utm_campaign: sql`utm_campaign`,
  utm_content: sql`utm_content`,
  utm_term: sql`utm_term`,
} as const

/** The names of a touch for all lists, and its channel behind them. */
const touchText = sql`concat(${packedTexts(Object.values(lists))}, channel)`

const namesIn = (touch: Fragment): Fragment => commaList(textsIn(touch, touchLists.length).texts)
const channelIn = (touch: Fragment): Fragment => textsIn(touch, touchLists.length).rest

/** The place of a list here is its number in the statement. */
export const touchLists = Object.keys(lists) as (keyof typeof lists)[]

export type ClickModel = 'first-click' | 'last-click'

/** Of touches in order: the first or last one that is not direct; if all are direct, the first or last of all. */
const credited: Readonly<Record<ClickModel, Fragment>> = {
  'first-click': sql`if(arrayExists(one -> not one.2, touches), arrayFirst(one -> not one.2, touches), touches[1])`,
  'last-click': sql`if(arrayExists(one -> not one.2, touches), arrayLast(one -> not one.2, touches), touches[-1])`,
}

/** A subquery of the landings of these sessions' visits: `session`, and `landed` (order and text). */
const landingsOf = (selection: Selection, isOfSessions: Fragment): Fragment => sql`(
  select any(session_id) as session, min(${placed(touchText)}) as landed
  ${shownViews(selection, isOfSessions)}
  group by visit_id
)`

/**
 * A subquery of `list` and `name`: the names of the touches that get the credit. For each session with a conversion
 * (`from … where …`) it is one of its landings up to its last conversion.
 */
export function creditedNames(selection: Selection, conversions: Fragment, model: ClickModel): Fragment {
  const isConverting = sql`session_id global in (select session_id ${conversions})`
  const both = union([
    sql`
      select session_id as session, '' as landed, false as is_direct, max(toUnixTimestamp64Milli(created_at)) as converted
      ${conversions}
      group by session_id`,
    sql`
      select session, landed, ${channelIn(textBehind(sql`landed`))} = 'direct' as is_direct, toInt64(0) as converted
      from ${landingsOf(selection, isConverting)}`,
  ])
  const isInTime = sql`one -> one.1 != '' and byteSwap(reinterpretAsUInt64(substring(one.1, 1, 8))) <= last`
  return sql`(
    select list, name
    from (
      select ${textBehind(sql`${credited[model]}.1`)} as touch
      from (
        select arraySort(arrayFilter(${isInTime}, met)) as touches
        from (select groupArray((landed, is_direct)) as met, max(converted) as last from ${both} group by session)
      )
      where touch != ''
    )
    array join range(${uint8(touchLists.length)}) as list, [${namesIn(sql`touch`)}] as name
  )`
}
