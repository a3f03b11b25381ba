import { channelText, landing, landingColumns, withChannel } from './channels.ts'
import { packedTexts, textsIn } from './packed-texts.ts'
import type { Selection } from './scope.ts'
import { commaList, type Fragment, sql, union } from './sql.ts'
import { shownViews } from './views.ts'
import { placed, textBehind } from './visit-facts.ts'
import { isForeignTo } from './where.ts'

/** The network of the first click id that a view has. */
const network = sql`multiIf(
  gclid != '', 'Google Ads', fbclid != '', 'Facebook / Meta', msclkid != '', 'Microsoft Ads', ttclid != '', 'TikTok Ads',
  li_fat_id != '', 'LinkedIn Ads', twclid != '', 'Twitter Ads (X)', '')`

/** What a touch has beside the texts of its channel: an expression over a view, and its name in outer queries. */
const others = [
  [network, sql`touch_network`],
  [sql`utm_campaign`, sql`touch_campaign`],
  [sql`utm_content`, sql`touch_content`],
  [sql`utm_term`, sql`touch_term`],
] as const

const touchText = sql`concat(${packedTexts(others.map(([column]) => column))}, ${channelText})`

const channelTextIn = (text: Fragment): Fragment => textsIn(text, others.length).rest

/** The columns packed in the text `touch`, and in the text of its channel, `made`, as a list for `select`. */
const touchColumns = commaList([
  ...textsIn(sql`touch`, others.length).texts.map((text, index) => sql`${text} as ${others[index]![1]}`),
  landingColumns(sql`made`),
])

/** The lists of an attribution, and the name that a touch has for each. */
const lists = {
  referrer: sql`if(${isForeignTo(landing.host, landing.domain)}, ${landing.domain}, '')`,
  paidAds: sql`touch_network`,
  utm_source: landing.source,
  utm_medium: landing.medium,
  utm_campaign: sql`touch_campaign`,
  utm_content: sql`touch_content`,
  utm_term: sql`touch_term`,
} as const

/** The place of a list here is its number in the statement. */
export const touchLists = Object.keys(lists) as (keyof typeof lists)[]

export type ClickModel = 'first-click' | 'last-click'

/** Of touches in order: the first or last one that is not direct; if all are direct, the first or last of all. */
const credited: Readonly<Record<ClickModel, Fragment>> = {
  'first-click': sql`if(arrayExists(one -> not one.2, touches), arrayFirst(one -> not one.2, touches), touches[1])`,
  'last-click': sql`if(arrayExists(one -> not one.2, touches), arrayLast(one -> not one.2, touches), touches[-1])`,
}

/** A subquery of the landings of these sessions' visits: `session`, `landed` (order and text) and `channel`. */
function landingsOf(selection: Selection, isOfSessions: Fragment): Fragment {
  const landings = sql`
    select any(session_id) as session, min(${placed(touchText)}) as landed
    ${shownViews(selection, isOfSessions)}
    group by visit_id`
  const made = channelTextIn(textBehind(sql`landed`))
  return withChannel(sql`session, landed`, sql`(select session, landed, ${made} as made from (${landings}))`)
}

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
      select session, landed, channel = 'direct' as is_direct, toInt64(0) as converted
      from ${landingsOf(selection, isConverting)}`,
  ])
  const isInTime = sql`one -> one.1 != '' and byteSwap(reinterpretAsUInt64(substring(one.1, 1, 8))) <= last`
  return sql`(
    select list, name
    from (
      select ${touchColumns}
      from (
        select touch, ${channelTextIn(sql`touch`)} as made
        from (
          select ${textBehind(sql`${credited[model]}.1`)} as touch
          from (
            select arraySort(arrayFilter(${isInTime}, met)) as touches
            from (select groupArray((landed, is_direct)) as met, max(converted) as last from ${both} group by session)
          )
        )
        where touch != ''
      )
    )
    array join range(7) as list, [${commaList(Object.values(lists))}] as name
  )`
}
