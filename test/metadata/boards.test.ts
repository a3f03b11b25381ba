import { expect, it } from 'vitest'
import { type BoardListFilter, boards } from '../../src/metadata/boards.ts'
import { planOf } from '../support/query-plan.ts'

const whole = { search: '', limit: 20, offset: 0, orderBy: 'name', descending: false } as const

const planOfList = (whose: BoardListFilter) => planOf((store) => boards(store).list(whose, whole))

it('a list of boards reads only its user’s or team’s boards', async () => {
  for (const whose of [{ userId: 'u' }, { teamId: 't' }]) expect(await planOfList(whose)).not.toMatch(/SCAN boards/)
  expect(await planOfList({})).toMatch(/SCAN boards/)
})
