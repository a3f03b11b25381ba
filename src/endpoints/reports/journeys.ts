import { textBehind, withOrder } from '../../query/figures/visit-facts.ts'
import type { SelectedEvents } from '../../query/language/scope.ts'
import { all, type Fragment, sql, text, uint8 } from '../../query/language/sql.ts'
import { contains } from '../../query/language/text.ts'
import { countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, textsColumn } from '../../query/lists/list.ts'
import { isCustomEvent } from '../../query/tables/rows.ts'
import { selectedActions } from '../../query/tables/views.ts'
import { journeyViews } from '../../request/client-names.ts'
import { type Filters, filters } from '../../request/filters.ts'
import { firstOf, search, slicesOf } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { freeText, type Group, group, oneOf, query, required, wholeNumber } from '../../request/query-string.ts'
import { type AnyReport, analysis } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

interface JourneyInput extends SelectedEvents {
  readonly steps: number
  readonly startStep: string
  readonly endStep: string
  readonly search: string | undefined
}

export const journeyGroup = group(
  {
    steps: required(wholeNumber('The number of steps after which a journey is cut.', { min: 2, max: 7 })),
    startStep: freeText('Only journeys whose first step is this path or event name.'),
    endStep: freeText('Only journeys whose last step, after the cut, is this path or event name.'),
  },
  ({ steps = 2, startStep = '', endStep = '' }) => ({ steps, startStep, endStep, search: undefined }),
)

const label = sql`if(${isCustomEvent}, event_name, url_path)`

const viewNames = Object.keys(journeyViews) as (keyof typeof journeyViews)[]

const plainFilters = filters()

/** The filters of a body, in which `view` means `eventType`. If a body has both, they must have the same meaning. */
export const viewedFilters: Group<{ filters: Filters }> = {
  ...plainFilters,
  parameters: { view: oneOf('all, or in place of eventType: views for 1, events for 2.', viewNames) },
  resolve(values, claimed, addIssue) {
    const { filters: given } = plainFilters.resolve(values, claimed, addIssue)
    const kinds: readonly number[] | undefined = journeyViews[values.view as keyof typeof journeyViews]
    const isAgreed = ({ operator, values }: Filters['eventTypes'][number]) =>
      operator === 'eq' && String(values) === String(kinds)
    if (kinds && !given.eventTypes.every(isAgreed)) addIssue('view', 'Must mean the same as eventType, or be left out.')
    if (!kinds?.length || given.eventTypes.length > 0) return { filters: given }
    return { filters: { ...given, eventTypes: [{ operator: 'eq', values: kinds }], given: [...given.given, 'view'] } }
  },
}

/** These filters may also be among the parameters of a body. */
export const filtersOfJourney = ['eventType']

/** The journey of each visit: labels in the order of events, with consecutive repeats merged. */
const journeys = (steps: number): Fragment => sql`arraySlice(
  arrayCompact(arrayMap(one -> ${textBehind(sql`one`)}, arraySort(groupArray(${withOrder(label)})))),
  1, ${uint8(steps)})`

const journeyList = list({
  from: countedList({
    rows({ period, filters, steps, startStep, endStep, search }: JourneyInput, scope) {
      const begins = startStep === '' ? undefined : sql`journey[1] = ${text(startStep)}`
      const ends = endStep === '' ? undefined : sql`journey[-1] = ${text(endStep)}`
      const isFound =
        search === undefined ? undefined : sql`arrayExists(label -> ${contains(sql`label`, search)}, journey)`
      const visits = sql`select ${journeys(steps)} as journey ${selectedActions({ scope, period, filters })} group by visit_id`
      return { from: sql`from (${visits}) where ${all(begins, ends, isFound)}` }
    },
    by: ['count', 'items'],
    count: 'count',
    searched: [],
  }),
  columns: { items: textsColumn(sql`journey`), count: integerColumn(sql`count()`) },
})

const example = { query: { ...inRange, steps: '3' }, events: [pageView] } as const

export const getWebsiteJourneys: AnyReport = analysis({
  name: 'getWebsiteJourneys',
  path: '/api/websites/:websiteId/journeys',
  sections: ['journeys'],
  countsDeleted: true,
  summary: 'The first pages and events of visits, and how many visits began that way; most frequent first.',
  example,
  query: query(range, journeyGroup, slicesOf(100), search('Part of one of the steps, ignoring case.'), plainFilters),
  ...journeyList,
})

export const getJourneyReport: AnyReport = analysis({
  name: 'getJourneyReport',
  method: 'post',
  path: '/api/reports/journey',
  sections: ['journeys'],
  countsDeleted: true,
  summary: 'The same as GET journeys.',
  example,
  filtersBeside: filtersOfJourney,
  query: query(range, journeyGroup, firstOf(100), viewedFilters),
  answer: journeyList.answer,
  plan: journeyList.plan,
  shape: (results, input) => ({ body: journeyList.shape(results, input).body }),
})
