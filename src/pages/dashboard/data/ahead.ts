import type { Question } from './data.ts'

const answers = new Map<string, Promise<unknown>>()

/** Asks a question before a part of the page needs the answer. */
export function askAhead<Value>({ key, ask }: Question<Value>): void {
  const answer = ask(new AbortController().signal)
  // The code that takes the answer handles the error.
  answer.catch(() => undefined)
  answers.set(key, answer)
}

/** The answer to a question that was asked ahead; undefined if it was not. Each answer is returned once. */
export function takeAhead<Value>(key: string): Promise<Value> | undefined {
  const answer = answers.get(key)
  answers.delete(key)
  return answer as Promise<Value> | undefined
}
