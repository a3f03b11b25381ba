import type { Making } from '../../dashboard/cards/making.ts'
import { NewSegment } from './new-segment.tsx'
import { Notes } from './notes.tsx'
import { Report } from './report.tsx'
import { Segments } from './segments.tsx'

/** The forms that owners use on the dashboard. */
export const making: Making = {
  Goal: ({ saved }) => <Report type="goal" saved={saved} />,
  Funnel: ({ saved }) => <Report type="funnel" saved={saved} />,
  ...{ Notes, NewSegment, Segments },
}
