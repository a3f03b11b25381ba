import type { Answer } from '@weir/client'
import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Period } from '../address/period.ts'
import type { Note } from '../chart/notes.ts'

export type SavedReport = Answer<'getWebsiteGoals'>['data'][number]

type ReportMaker = ComponentType<{ readonly saved?: SavedReport }>

/** The forms with which owners create things on the page. Each is opened by a button. */
export interface Making {
  /** Creates a goal or a funnel, or changes a saved one. */
  readonly Goal: ReportMaker
  readonly Funnel: ReportMaker
  /** All notes of the period. */
  readonly Notes: ComponentType<{ readonly notes: readonly Note[]; readonly period: Period }>
  /** Saves the filters of the page. */
  readonly NewSegment: ComponentType
  /** All segments and cohorts. Calls `close` after a choice. */
  readonly Segments: ComponentType<{ readonly close: () => void }>
}

/** Undefined for viewers without the right to change. Set by the page around the dashboard. */
export const MakingContext = createContext<Making | undefined>(undefined)

export const useMaking = () => useContext(MakingContext)
