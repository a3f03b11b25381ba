import { readAddress } from './address/address.ts'
import { accessOf } from './data/access.ts'
import { askAhead } from './data/ahead.ts'
import type { Question } from './data/data.ts'
import { dataOf } from './data/data.ts'
import { givenOpening } from './data/given.ts'
import { firstQuestions } from './view.ts'

/** This is a separate script, which requests the first numbers while the main script still loads. */
const opening = givenOpening(accessOf(location.pathname))
if (opening) {
  const questions = firstQuestions(dataOf(opening, 0, 0, 0), opening, readAddress(location.search), Date.now())
  for (const question of questions) askAhead(question as Question<unknown>)
}
