import type { Loaded } from '../data/use-answer.ts'
import { Fault } from '../parts/notice.tsx'
import { RowBones } from './rows.tsx'

/** In place of an answer: why there is none, or as many grey rows until it comes. */
export const Unanswered = ({ error, retry, bones }: Loaded<unknown> & { readonly bones: number }) =>
  error === undefined ? <RowBones count={bones} /> : <Fault {...{ error, retry }} />
