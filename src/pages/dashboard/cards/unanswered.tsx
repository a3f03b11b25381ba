import type { Loaded } from '../data/use-answer.ts'
import { Fault } from '../parts/notice.tsx'
import { RowBones } from './rows.tsx'

/** Shown instead of an answer: the error, or grey rows until the answer comes. */
export const Unanswered = ({ error, retry, bones }: Loaded<unknown> & { readonly bones: number }) =>
  error === undefined ? <RowBones count={bones} /> : <Fault {...{ error, retry }} />
