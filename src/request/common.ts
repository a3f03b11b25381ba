import { pageNumber, pageSize } from './page.ts'
import { compare, optionalRange, unit } from './period.ts'
import { freeText, group, oneOf } from './query-string.ts'

export const sortDescending = oneOf('Whether the order is descending.', ['true', 'false'])

/** Parameters that dashboards and clients send with every GET. Endpoints that do not need them only validate them. */
export const commonGroups = [
  optionalRange,
  group(
    {
      unit,
      compare,
      page: pageNumber,
      pageSize,
      orderBy: freeText('The field to order by.'),
      sortDescending,
      search: freeText('The text to search for.'),
      query: freeText('Query string of the page.'),
    },
    () => ({}),
  ),
] as const

/** The common parameters that may occur in the `parameters` of a POST report. */
export const bodyGroups = [optionalRange, group({ unit, compare }, () => ({}))] as const
