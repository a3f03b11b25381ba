import type { Answer } from '@weir/client'
import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Period } from '../address/period.ts'
import type { Note } from '../chart/notes.ts'

export type SavedReport = Answer<'getWebsiteGoals'>['data'][number]

type ReportMaker = ComponentType<{ readonly saved?: SavedReport }>

/** What owners make on the page. Each part is a button that opens a form. */
export interface Making {
  /** Makes a goal or a funnel, or changes the saved one. */
  readonly Goal: ReportMaker
  readonly Funnel: ReportMaker
  /** All notes of the period. */
  readonly Notes: ComponentType<{ readonly notes: readonly Note[]; readonly period: Period }>
  /** Saves the filters of the page. */
  readonly NewSegment: ComponentType
  /** All segments and cohorts. `close` is called when one has been chosen. */
  readonly Segments: ComponentType<{ readonly close: () => void }>
}

/** Undefined for viewers who may only look. The page around the dashboard knows. */
export const MakingContext = createContext<Making | undefined>(undefined)

export const useMaking = () => useContext(MakingContext)
