import { expect, it } from 'vitest'
import { boards } from '../../src/metadata/boards.ts'
import { shares } from '../../src/metadata/shares.ts'
import { planOf } from '../support/query-plan.ts'

const whole = { search: '', limit: 20, offset: 0, orderBy: 'name', descending: false } as const

it('a list of shares reads only the shares of its subject, and those of boards that contain the subject', async () => {
  const owners = [{ userId: null, teamId: null, putBy: null }] as const
  const list = await planOf((store) => shares(store).list('w', owners, whole))
  const naming = await planOf((store) => boards(store).ownersNaming('w'))
  const one = await planOf((store) => boards(store).shared('b'))
  for (const plan of [list, naming, one]) {
    expect(plan).toMatch(/SEARCH boards/)
    expect(plan).not.toMatch(/SCAN (shares|board_subjects|users|contributor|membership|team_members)/)
  }
  expect(list + one).not.toMatch(/SCAN boards/)
})
