import { type Step, stepMatch } from '../../../src/query/figures/wildcards.ts'
import { any, commaList, type Fragment, sql, text, uint32 } from '../../../src/query/language/sql.ts'
import type { Asked, Question } from './question.ts'
import type { Row } from './same.ts'
import { before, during, events, hours, isCustom, isForeign, isView, label, top } from './statistics.ts'

const isAction = sql`event_type < 5`

/** These match about 16, 8, 3 and 1 % of the events. */
const steps: readonly Step[] = [
  { type: 'path', value: '/p*' },
  { type: 'path', value: '/docs*' },
  { type: 'event', value: 'search' },
  { type: 'event', value: 'signup' },
]

const afterAny: readonly Step[] = [{ type: 'path', value: '*' }, ...steps.slice(1)]

/** In minutes. */
const funnelWindow = 60

/** Joins the events of each step with those of the previous step. */
function funnel(asked: Asked, steps: readonly Step[]): Fragment {
  const of = (index: number): Fragment => sql`
    select session_id, event_id, created_at from matching where ${stepMatch(steps[index]!)}`
  const levels = steps.map((_, index) =>
    index === 0
      ? sql`level1 as (${of(0)})`
      : sql`${levelOf(index)} as (
          select distinct next.session_id as session_id, next.event_id as event_id, next.created_at as created_at
          from ${levelOf(index - 1)} as last
          inner join (${of(index)}) as next on last.session_id = next.session_id
          where next.created_at >= last.created_at and next.event_id != last.event_id
            and next.created_at <= last.created_at + toIntervalMinute(${uint32(funnelWindow)})
        )`,
  )
  const counts = steps.map(
    (_, index) => sql`(select ${uint32(index + 1)} as level, uniqExact(session_id) as visitors from ${levelOf(index)})`,
  )
  return sql`
    with matching as (
      select session_id, event_id, created_at, event_type, url_path, event_name
      ${events.from(asked, any(...steps.map(stepMatch)))}
    ), ${commaList(levels)}
    select level, visitors from (${counts.reduce((all, one) => sql`${all} union all ${one}`)}) order by level`
}

const levels = [sql`level1`, sql`level2`, sql`level3`, sql`level4`]
const levelOf = (index: number): Fragment => levels[index]!

const journeys = (asked: Asked): Fragment => sql`
  select arrayStringConcat(labels, ' > ') as items, count() as count
  from (
    select arraySlice(arrayCompact(arrayMap(
      one -> one.3,
      arraySort(groupArray((created_at, event_id, if(${isCustom}, event_name, url_path)))))), 1, 4) as labels
    ${events.from(asked, isAction)} group by visit_id
  )
  group by labels order by count desc, labels limit 100`

const retention = (asked: Asked): Fragment => sql`
  with
    firsts as (select session_id, toDate(min(created_at)) as bucket ${events.from(asked, isAction)} group by session_id),
    days as (select distinct session_id, toDate(created_at) as seen ${events.from(asked, isAction)})
  select ${label} as date, toInt32(dateDiff('day', bucket, seen)) as day, count() as returnVisitors
  from firsts inner join days on firsts.session_id = days.session_id
  where day <= 31
  group by bucket, day order by bucket, day`

const network = sql`multiIf(
  gclid != '', 'Google Ads', msclkid != '', 'Microsoft Ads', ttclid != '', 'TikTok Ads',
  li_fat_id != '', 'LinkedIn Ads', twclid != '', 'Twitter Ads (X)', '')`

const foreign = sql`if(${isForeign}, referrer_domain, '')`

/** A landing without any source is direct. */
const attribution = (asked: Asked): readonly Fragment[] => {
  const conversions = events.from(asked, isCustom, sql`event_name = ${text('signup')}`)
  return [
    sql`
      with
        conversions as (select session_id, max(created_at) as converted ${conversions} group by session_id),
        landings as (
          select any(session_id) as session_id, min((created_at, event_id)) as landed,
            argMin((${foreign}, ${network}, utm_source, utm_medium, utm_campaign, utm_content, utm_term),
              (created_at, event_id)) as touch
          ${events.from(asked, isView)} group by visit_id
        )
      select list, name, count() as sessions
      from (
        select argMin(touch, (touch.1 = '' and touch.2 = '' and touch.4 = '', landed)) as credited
        from landings inner join conversions on landings.session_id = conversions.session_id
        where landed.1 <= converted
        group by conversions.session_id
      )
      array join range(7) as list,
        [credited.1, credited.2, credited.3, credited.4, credited.5, credited.6, credited.7] as name
      where name != ''
      group by list, name order by list, sessions desc, name`,
    sql`
      select count() as pageviews, uniqExact(session_id) as visitors, uniqExact(visit_id) as visits ${conversions}`,
  ]
}

/**
 * Uses only fields of views. Bounces and time are therefore computed from the views with these values, not from whole
 * visits.
 */
const breakdown = (asked: Asked, fields: Fragment): Fragment => sql`
  select ${fields}, sum(found) as views, uniq(session_id) as visitors, count() as visits, countIf(found = 1) as bounces,
    intDiv(sum(toUnixTimestamp64Milli(last) - toUnixTimestamp64Milli(first)), 1000) as totaltime
  from (
    select ${fields}, session_id, visit_id, count() as found, min(created_at) as first, max(created_at) as last
    ${events.from(asked, isView)} group by ${fields}, session_id, visit_id
  )
  group by ${fields} order by visitors desc, views desc, ${fields} ${top}`

const utm = (asked: Asked): readonly Fragment[] =>
  [sql`utm_source`, sql`utm_medium`, sql`utm_campaign`, sql`utm_term`, sql`utm_content`].map(
    (column) => sql`
      select ${column} as utm, count() as views ${events.from(asked, isView, sql`${column} != ''`)}
      group by utm order by views desc, utm ${top}`,
  )

const inEuros = (asked: Asked): Fragment => sql`${during(asked)} and currency = ${text('EUR')}`

const revenueTotals = (asked: Asked): Fragment => sql`
  select sum(revenue) as sum, count() as count, uniqExact(session_id) as unique_count,
    (select uniq(session_id) ${hours.from(asked, isAction)}) as total_sessions
  from revenue where ${inEuros(asked)}`

const revenueByCountry = (asked: Asked): Fragment => sql`
  select country as name, sum(revenue) as value
  from revenue any left join (
    select session_id, any(country) as country ${hours.from(asked, isAction)} group by session_id
  ) as of using session_id
  where ${inEuros(asked)} group by name order by value desc, name ${top}`

const revenueByReferrer = (asked: Asked): Fragment => sql`
  select referrer as name, sum(revenue) as value
  from revenue any left join (
    select visit_id, argMin(${foreign}, (created_at, event_id)) as referrer ${events.from(asked, isView)}
    group by visit_id
  ) as of using visit_id
  where ${inEuros(asked)} group by name order by value desc, name ${top}`

interface Totals {
  readonly sum: number
  readonly count: number
  readonly unique_count: number
  readonly total_sessions: number
}

const ofTotals = ({ sum, count, unique_count, total_sessions }: Totals): Row => ({
  ...{ sum, count, unique_count, total_sessions },
})

const funnelRows = (body: readonly { readonly visitors: number }[]): Row[] =>
  body.map(({ visitors }, index) => ({ level: index + 1, visitors }))

const touchLists = ['referrer', 'paidAds', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term']

type Lists = Readonly<Record<string, readonly Row[]>>

const inEuro = { currency: 'EUR' }

export const ofReports: readonly Question[] = [
  ...[
    { variant: '4 steps', asked: steps },
    { variant: '* first', asked: afterAny },
  ].map(({ variant, asked: wanted }) => ({
    endpoint: 'funnels/stats',
    variant,
    query: { window: String(funnelWindow), steps: JSON.stringify(wanted) },
    naive: (asked: Asked) => [funnel(asked, wanted)],
    rows: funnelRows,
  })),
  {
    endpoint: 'journeys',
    variant: '4 steps',
    query: { steps: '4' },
    naive: (asked) => [journeys(asked)],
    rows: (body: readonly { readonly items: readonly string[]; readonly count: number }[]) =>
      body.map(({ items, count }) => ({ items: items.join(' > '), count })),
  },
  {
    endpoint: 'retention',
    naive: (asked) => [retention(asked)],
    rows: (body: readonly Row[]) =>
      body.map(({ date, day, returnVisitors }) => ({ date: date!, day: day!, returnVisitors: returnVisitors! })),
  },
  {
    endpoint: 'attribution',
    query: { model: 'first-click', type: 'event', step: 'signup' },
    naive: attribution,
    rows: ({ total, ...lists }: Lists & { readonly total: Row }) => [
      ...touchLists.flatMap((name, list) =>
        (lists[name] as readonly Row[]).map((row) => ({ list, name: row.name!, sessions: row.value! })),
      ),
      total,
    ],
  },
  ...[
    { fields: 'path,browser', columns: sql`url_path, browser` },
    { fields: 'country,browser', columns: sql`country, browser` },
  ].map(({ fields, columns }) => ({
    endpoint: 'breakdown',
    variant: fields,
    query: { fields },
    naive: (asked: Asked) => [breakdown(asked, columns)],
    rows: (body: readonly Row[]) =>
      body.map(({ path, browser, country, views, visitors, visits }) => ({
        ...(path === undefined ? { country: country! } : { url_path: path }),
        ...{ browser: browser!, views: views!, visitors: visitors!, visits: visits! },
      })),
    estimated: ['visitors'],
  })),
  { endpoint: '/reports/utm', naive: utm, rows: (body: Lists) => Object.values(body).flat() },
  {
    endpoint: 'revenue/stats',
    query: inEuro,
    naive: (asked) => [revenueTotals(asked), revenueTotals(before(asked))],
    rows: ({ comparison, ...current }: Totals & { readonly comparison: Totals }) => [
      ofTotals(current),
      ofTotals(comparison),
    ],
    estimated: ['total_sessions'],
  },
  {
    endpoint: 'revenue/metrics',
    variant: 'country',
    query: { ...inEuro, type: 'country' },
    naive: (asked) => [revenueByCountry(asked)],
    rows: (body: readonly Row[]) => body,
  },
  {
    endpoint: 'revenue/metrics',
    variant: 'referrer',
    query: { ...inEuro, type: 'referrer' },
    naive: (asked) => [revenueByReferrer(asked)],
    rows: (body: readonly Row[]) => body,
  },
]
