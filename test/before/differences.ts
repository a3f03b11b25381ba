import type { Answer } from './ask.ts'

/**
 * What issue 13 asks to be answered in another way than before it. An entry that explains nothing any more, or not yet,
 * makes the test fail.
 */
export interface Difference {
  /** The point or the step of the issue that asks for it. */
  readonly point: string
  readonly answers: (answer: Answer) => boolean
  /** What may differ: `status`, `body`, or the names of headers. */
  readonly parts: readonly string[]
  /** Makes the old text of the new one. Without it anything may stand there: rather say what. */
  readonly undo?: (text: string) => string
}

/** For instance, tables that have other names: `{ point: 'step b', answers: all, parts: ['x-source', 'body'], undo: … }`. */
export const differences: readonly Difference[] = []
