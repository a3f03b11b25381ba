import type { Access } from './access.ts'
import { type Opening, openingOfPublic, openingOfShare } from './opening.ts'

/** The id of the element that contains the answer to the page's first request. `src/serve/pages.ts` writes it. */
const place = 'opening'

/** The data about this access that the document contains; undefined if it contains none. */
export function givenOpening(access: Access): Opening | undefined {
  const text = access.by === 'key' ? undefined : document.getElementById(place)?.textContent
  if (!text) return undefined
  const answer = JSON.parse(text)
  return access.by === 'share' ? openingOfShare(answer, access.slug) : openingOfPublic(answer)
}
