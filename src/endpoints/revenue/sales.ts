import type { SelectedEvents } from '../../query/language/scope.ts'
import { group, required, shortText } from '../../request/query-string.ts'
import { purchase } from '../examples.ts'

const currencyCode = shortText('Only amounts in this currency, ignoring case.', 10, { examples: ['EUR'] })

export const currencyGroup = group({ currency: required(currencyCode) })

/** The parameters of every revenue report. */
export interface SalesInput extends SelectedEvents {
  readonly currency: string
}

/** A sale of 10.5 in this currency. */
export const saleIn = (currency: string) => ({
  ...purchase,
  'properties.key': ['currency', 'revenue'],
  'properties.data_type': [1, 2],
  'properties.string_value': [currency, '10.5'],
  'properties.number_value': [null, '10.5'],
  'properties.date_value': [null, null],
})

export const sale = saleIn('EUR')
