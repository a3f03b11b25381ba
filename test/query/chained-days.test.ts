import { expect, it } from 'vitest'
import { chooseVisits } from '../../src/query/tables/chained-days.ts'
import { noFilters } from '../../src/request/filters.ts'
import { wholeWebsite } from '../support/scope.ts'
import { newId } from '../support/website.ts'

const day = 86_400_000
const from = Date.UTC(2025, 0, 1)

it.each([
  { days: 30, end: -1, isByDay: true },
  { days: 119, end: 1, isByDay: false },
  { days: 120, end: 1, isByDay: true },
  { days: 30, end: 1, chainsFrom: 1, isByDay: true },
])('rows of days answer long ranges, or those without ends: $days, $end', ({ days, end, chainsFrom, isByDay }) => {
  const period = { startAt: from, endAt: from + days * day + end }
  const scope = { ...wholeWebsite(newId()), chainsFrom }
  expect(chooseVisits({ scope, period, filters: noFilters }, undefined, '')).toMatchObject({ isByDay })
})
