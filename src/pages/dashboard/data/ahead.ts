import type { Question } from './data.ts'

const answers = new Map<string, Promise<unknown>>()

/** Asks before a part of the page wants to know. */
export function askAhead<Value>({ key, ask }: Question<Value>): void {
  const answer = ask(new AbortController().signal)
  // Whoever takes the answer handles the error.
  answer.catch(() => undefined)
  answers.set(key, answer)
}

/** The answer to a question that was asked ahead; undefined if it was not. Who asks again has to ask anew. */
export function takeAhead<Value>(key: string): Promise<Value> | undefined {
  const answer = answers.get(key)
  answers.delete(key)
  return answer as Promise<Value> | undefined
}
