import type { Loaded } from '../data/use-answer.ts'
import { Fault } from '../parts/notice.tsx'
import { RowBones } from './rows.tsx'

interface UnansweredProps extends Pick<Loaded<unknown>, 'error' | 'retry'> {
  /** The number of grey rows. */
  readonly bones: number
}

/** A placeholder for a missing answer: grey rows while it loads, or the error if it failed. */
export const Unanswered = ({ error, retry, bones }: UnansweredProps) =>
  error === undefined ? <RowBones count={bones} /> : <Fault {...{ error, retry }} />
