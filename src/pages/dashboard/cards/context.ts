import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Address } from '../address/address.ts'
import type { FilterField } from '../address/fields.ts'
import type { Filter } from '../address/filters.ts'
import type { PeriodParameters } from '../address/period.ts'
import type { Go } from '../address/use-address.ts'
import type { Data } from '../data/data.ts'
import type { Opening } from '../data/opening.ts'

/** The data that all cards share. */
export interface Board {
  readonly data: Data
  readonly opening: Opening
  /** Reloads the owner's saved objects after a change. */
  readonly changed: () => void
  readonly address: Address
  readonly go: Go
  /** The parameters of every request about the period. */
  readonly input: PeriodParameters & { readonly websiteId: string; readonly filters?: string }
  /** The filters in the URL that the viewer may use. */
  readonly filters: readonly Filter[]
  /** The number of all visitors in the period; undefined until it is known. */
  readonly visitors: number | undefined
  /** Reloads the figures and the chart, because there are new events. */
  readonly renew: () => void
  /** Adds a value to the filters, or removes it. Undefined if viewers may not filter by the field. */
  readonly toggle: (field: FilterField, value: string) => (() => void) | undefined
}

const Context = createContext<Board | undefined>(undefined)

export const BoardProvider = Context.Provider

export function useBoard(): Board {
  const board = useContext(Context)
  if (!board) throw new Error('A card must be inside the dashboard.')
  return board
}
