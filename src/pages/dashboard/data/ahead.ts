import type { Question } from './data.ts'

const answers = new Map<string, Promise<unknown>>()

/** Requests an answer before a part of the page needs it. */
export function askAhead<Value>({ key, ask }: Question<Value>): void {
  const answer = ask(new AbortController().signal)
  // The code that takes the answer later also handles its error.
  answer.catch(() => undefined)
  answers.set(key, answer)
}

/** The answer that was requested ahead of time; undefined if there is none. Each answer is returned only once. */
export function takeAhead<Value>(key: string): Promise<Value> | undefined {
  const answer = answers.get(key)
  answers.delete(key)
  return answer as Promise<Value> | undefined
}
