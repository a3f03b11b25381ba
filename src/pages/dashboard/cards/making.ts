import type { Answer } from '@weir/client'
import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Period } from '../address/period.ts'
import type { Note } from '../chart/notes.ts'

export type SavedReport = Answer<'getWebsiteGoals'>['data'][number]

type ReportMaker = ComponentType<{ readonly saved?: SavedReport }>

/** Forms that owners use to create objects on the page. A button opens each form. */
export interface Making {
  /** Creates a goal or a funnel, or changes a saved one. */
  readonly Goal: ReportMaker
  readonly Funnel: ReportMaker
  /** All notes of the period. */
  readonly Notes: ComponentType<{ readonly notes: readonly Note[]; readonly period: Period }>
  /** Saves the page's filters. */
  readonly NewSegment: ComponentType
  /** Lists all segments and cohorts. Calls `close` after a choice. */
  readonly Segments: ComponentType<{ readonly close: () => void }>
}

/** The forms, which the page around the dashboard provides. Undefined for viewers who may not change anything. */
export const MakingContext = createContext<Making | undefined>(undefined)

export const useMaking = () => useContext(MakingContext)
