import { madeFor } from '../../made.ts'
import { noFilters } from '../../request/filters.ts'
import type { Buckets } from '../../request/series.ts'
import { hasWholeHours } from '../../request/time-zone.ts'
import { isFiltered, type Selection, visiblePeriod } from '../language/scope.ts'
import { sql } from '../language/sql.ts'
import { bucketOfRows, hourOfWeek } from '../tables/buckets.ts'
import { type ChainedField, type DailyField, isDaily } from '../tables/chained-fields.ts'
import { chooseTable } from '../tables/choose.ts'
import { type PathFilters, pathFilters } from '../tables/path-filters.ts'
import { chainedHours } from '../tables/tables.ts'
import {
  bucketsAtEnds,
  clientsAtEnds,
  figuresOfViewsAtEnds,
  hoursOfWeekAtEnds,
  totalsOfActionsAtEnds,
  valuesAtEnds,
  visitorsAtEnds,
  visitsByValueAtEnds,
} from './ends.ts'
import type { Notes } from './notes.ts'
import {
  areVisitors,
  type By,
  type ChainAnswer,
  type ChainPart,
  type ChainQuestion,
  type Chains,
  type CostClass,
  type OfClient,
} from './parts.ts'
import { bucketsOnPaths, passesPaths, totalsOnPaths, visitsByValueOnPaths } from './paths.ts'
import {
  type Chain,
  chainOfDays,
  chainOfHours,
  chainOfValues,
  type Ends,
  sealedDays,
  sealedHours,
  unsealedEnds,
} from './rows.ts'
import {
  bucketKeys,
  byDay,
  byHour,
  distinctSessions,
  figuresOfViews,
  firstRows,
  hasViews,
  inMixedBuckets,
  isOfVisit,
  leaves,
  sessionsByHash,
  totalsOfActions,
} from './sealed.ts'

/** How to compute an answer: one part from sealed rows, and one from the ends of the range. */
interface Form {
  readonly cost: CostClass
  /** Whether rows of days may be used. */
  readonly isOfDays?: boolean
  readonly ofSealed: (chains: Chains) => ChainPart
  readonly ofEnds: (chains: Chains, ends: Ends) => ChainPart
}

/** Undefined if no chain can ever answer the question. */
export function chainAnswer(selection: Selection, question: ChainQuestion): ChainAnswer | undefined {
  const { by } = question
  const reads = by?.kind === 'client' ? (by.byCountry ? [by.field, 'country' as const] : [by.field]) : []
  if (!hasOnlyHours(by, selection) || !reads.every((field) => chainedHours.fields.has(field))) return undefined
  const paths = pathFilters(selection)
  const rest = paths?.rest ?? selection
  const form = paths ? formOnPaths(paths, question) : formOf(question, selection)
  const days = form?.isOfDays ? sealedDays(rest) : undefined
  const sealed = days ?? sealedHours(rest)
  if (!form || !sealed) return undefined
  const parts = (notes: Notes): readonly ChainPart[] => {
    const known = new Map<ChainedField, Chain>()
    const values = (field: ChainedField) =>
      madeFor(field, known, () => chainOfValues(sealed, notes, field, paths?.pass(sql`value`)))
    const passes = paths && passesPaths(paths, values('path'))
    const chains = {
      ...{ sealed, values, days: days && ((...fields: readonly DailyField[]) => chainOfDays(days, notes, ...fields)) },
      views: chainOfHours(sealed, notes, hasViews, passes),
      actions: chainOfHours(sealed, notes, undefined, passes),
    }
    const ends = unsealedEnds(sealed, paths?.pass(sql`url_path`))
    return [form.ofSealed(chains), ...(ends ? [form.ofEnds(chains, ends)] : [])]
  }
  return { sealed, cost: form.cost, reads, parts }
}

/** Whether every UTC hour lies within one bucket, or within one hour of the week. */
function hasOnlyHours(by: By | undefined, selection: Selection): boolean {
  const period = visiblePeriod(selection)
  if (by?.kind === 'bucket') return bucketOfRows('hour', by.buckets, period) !== undefined
  return by?.kind !== 'hour of week' || hasWholeHours(by.zone, period)
}

function formOf({ of, by, figures }: ChainQuestion, selection: Selection): Form | undefined {
  if (of === 'actions') return areVisitors(figures) ? visitorsOfActions : actions
  switch (by?.kind) {
    case undefined:
      return views
    case 'bucket':
      return bucketsForm(by.buckets, ({ days, views }, keys) => {
        const rows = days?.('') ?? views
        return firstRows(rows, { x: keys.text(keys.of(sql`hour`)) }, keys.isNew(rows, sql`session_before`))
      })
    case 'hour of week':
      // The previous hour does not show whether the session had been seen in the same hour in other weeks.
      return {
        cost: 'keys',
        ofSealed: ({ views }) => distinctSessions(views, { x: sql`toString(${hourOfWeek(by.zone, sql`hour`)})` }),
        ofEnds: ({ views }, ends) => hoursOfWeekAtEnds(views, ends, by.zone),
      }
    case 'client':
      if (!areVisitors(figures)) return figuresOfClients(by)
      return clientsForm(by, ({ days, views }) => {
        const [rows, value] = days && isDaily(by.field) ? [days(by.field), sql`value`] : [views, by.value]
        return firstRows(rows, keysOf(by, value), rows.isBefore(sql`session_before`))
      })
    case 'view':
      // Rows of values do not contain visitors' attributes.
      return chooseTable('chained values', selection) ? valuesForm(by) : hashesForm(by)
    case 'landing':
    case 'exit':
      return visitsForm(by, ({ views }) => {
        const places = by.kind === 'exit' ? [isOfVisit, leaves(views)] : [views.isBefore(sql`visit_before`)]
        return distinctSessions(views, { x: by.ofHours }, ...places)
      })
  }
}

const views: Form = {
  cost: 'visits',
  isOfDays: true,
  ofSealed: ({ days, actions }) =>
    days ? figuresOfViews(days('', 'bounces'), byDay) : figuresOfViews(actions, byHour),
  ofEnds: ({ actions }, ends) => figuresOfViewsAtEnds(actions, ends),
}

const actions: Form = {
  cost: 'ids',
  isOfDays: true,
  ofSealed: ({ days, actions }) => (days ? totalsOfActions(days('actions'), byDay) : totalsOfActions(actions, byHour)),
  ofEnds: ({ actions }, ends) => totalsOfActionsAtEnds(actions, ends),
}

const visitorsOfActions: Form = {
  ...actions,
  ofEnds: ({ actions }, ends) => visitorsAtEnds(actions, ends),
}

type Of<Kind extends By['kind']> = Extract<By, { readonly kind: Kind }>

const bucketsForm = (
  buckets: Buckets,
  ofSealed: (chains: Chains, keys: ReturnType<typeof bucketKeys>) => ChainPart,
): Form => {
  const keys = bucketKeys(buckets)
  return {
    cost: 'ids',
    isOfDays: buckets.zone === 'UTC' && buckets.unit !== 'hour',
    ofSealed: (chains) => ofSealed(chains, keys),
    ofEnds: ({ sealed, views }, ends) => bucketsAtEnds(views, ends, keys, inMixedBuckets(sealed, buckets, keys)),
  }
}

const keysOf = ({ value, byCountry }: OfClient, x = value) => ({ x, ...(byCountry && { country: sql`country` }) })

const clientsForm = (by: OfClient, ofSealed: Form['ofSealed']): Form => ({
  ...{ cost: isDaily(by.field) ? 'ids' : 'keys', isOfDays: isDaily(by.field), ofSealed },
  ofEnds: ({ views }, ends) => clientsAtEnds(views, ends, by),
})

const figuresOfClients = (by: OfClient): Form => ({
  cost: 'visits',
  ofSealed: ({ actions }) => figuresOfViews(actions, byHour, keysOf(by)),
  ofEnds: ({ actions }, ends) => figuresOfViewsAtEnds(actions, ends, { by }),
})

const valuesForm = ({ field, ofViews }: Of<'view'>): Form => ({
  // Rows of hours also have referrers.
  cost: field === 'referrer' ? 'ids' : 'values',
  ofSealed({ values }) {
    const rows = values(field)
    return firstRows(rows, { x: sql`value` }, rows.isBefore(sql`value_before`))
  },
  ofEnds: ({ views }, ends) => valuesAtEnds(views, ends, field, ofViews),
})

const hashesForm = (by: Of<'view'>): Form => ({
  ...valuesForm(by),
  ofSealed: ({ views, sealed }) => sessionsByHash(views, by.field, { ...sealed.selection, period: sealed.whole }),
})

const visitsForm = (by: Of<'landing' | 'exit'>, ofSealed: Form['ofSealed']): Form => ({
  ...{ cost: 'visits', ofSealed },
  ofEnds: ({ views }, ends) => visitsByValueAtEnds(views, ends, by),
})

/** How to compute an answer with filters on paths. */
function formOnPaths({ rest, one, areLocked }: PathFilters, { of, by, figures }: ChainQuestion): Form | undefined {
  const unfiltered = { ...rest, scope: { ...rest.scope, only: [] }, filters: noFilters }
  if (of === 'actions' || !chooseTable('chained values', unfiltered)) return undefined
  // Rows of values count views by path only.
  const countsViews = by === undefined || by.kind === 'bucket' || by.kind === 'view'
  if (countsViews && isFiltered(rest)) return undefined
  // Locked paths hide a visit's other views, but rows of hours cannot leave out single views.
  const asksOfVisits = by === undefined || by.kind === 'landing' || by.kind === 'exit'
  if (asksOfVisits && areLocked) return undefined
  switch (by?.kind) {
    case undefined:
      return {
        cost: 'paths',
        ofSealed: (chains) => totalsOnPaths(chains, one !== undefined),
        ofEnds: ({ actions }, ends) => figuresOfViewsAtEnds(actions, ends, { onlyAtEnds: true }),
      }
    case 'landing':
    case 'exit':
      return { ...visitsForm(by, (chains) => visitsByValueOnPaths(chains, by)), cost: 'paths' }
    case 'client':
      if (!areVisitors(figures)) return undefined
      return {
        ...clientsForm(by, ({ views }) => distinctSessions(views, keysOf(by))),
        ...{ isOfDays: false, cost: 'keys' },
      }
    case 'view':
      return by.field === 'path' ? { ...valuesForm(by), cost: 'paths' } : undefined
    case 'bucket':
      return {
        ...bucketsForm(by.buckets, (chains, keys) => {
          const [rows, x] = [chains.values('path'), keys.text(keys.of(sql`hour`))]
          return one === undefined
            ? bucketsOnPaths(chains, x)
            : firstRows(rows, { x }, keys.isNew(rows, sql`value_before`))
        }),
        ...{ isOfDays: false, cost: one === undefined ? 'keys' : 'paths' },
      }
    default:
      return undefined
  }
}
