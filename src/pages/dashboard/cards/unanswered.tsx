import type { Loaded } from '../data/use-answer.ts'
import { Fault } from '../parts/notice.tsx'
import { RowBones } from './rows.tsx'

/** A placeholder for a missing answer: grey rows while it loads, or the error if it failed. */
export const Unanswered = ({ error, retry, bones }: Loaded<unknown> & { readonly bones: number }) =>
  error === undefined ? <RowBones count={bones} /> : <Fault {...{ error, retry }} />
