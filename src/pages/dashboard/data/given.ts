import type { Access } from './access.ts'
import { type Opening, openingOfPublic, openingOfShare } from './opening.ts'

/** The element of the document that holds the answer to the page's first request: `src/serve/pages.ts`. */
const place = 'opening'

/** The opening that the document contains; undefined without one. */
export function givenOpening({ by }: Access): Opening | undefined {
  const text = by === 'key' ? undefined : document.getElementById(place)?.textContent
  if (!text) return undefined
  const answer = JSON.parse(text)
  return by === 'share' ? openingOfShare(answer) : openingOfPublic(answer)
}
