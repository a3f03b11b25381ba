import type { Loaded } from '../data/use-answer.ts'
import { Fault } from '../parts/notice.tsx'
import { RowBones } from './rows.tsx'

/** A placeholder for an answer: grey rows until it arrives, or its error. */
export const Unanswered = ({ error, retry, bones }: Loaded<unknown> & { readonly bones: number }) =>
  error === undefined ? <RowBones count={bones} /> : <Fault {...{ error, retry }} />
