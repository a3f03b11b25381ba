import { describe, expect, it } from 'vitest'
import { event, id } from '../oracle/fixtures.ts'
import { websiteOf } from '../support/people.ts'
import { add, columnTime, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

const minute = 60_000

const seen = (ago: number, session: number, type = 1, browser = 'chrome') =>
  event({
    ...{ event_id: id(session * 1000 + type), session_id: id(session), created_at: columnTime(Date.now() - ago) },
    ...{ event_type: type, event_name: '', browser },
  })

describe('active', () => {
  it('counts the sessions with an event of any kind in the last five minutes', async () => {
    const kinds = [1, 2, 3, 4, 5].map((type) => seen(minute, type, type))
    const websiteId = await websiteWith(...kinds, seen(4 * minute, 1, 2), seen(6 * minute, 8), seen(-2 * minute, 9))
    expect((await read(websiteId, 'active')).body).toStrictEqual({ visitors: 5 })
    expect((await read(await websiteOf(), 'active')).body).toStrictEqual({ visitors: 0 })
  })

  it('counts an event immediately, and no event from before a reset', async () => {
    const websiteId = await websiteOf({}, { reset_at: Date.now() - 2 * minute })
    await add(websiteId, seen(3 * minute, 1), seen(0, 2))
    expect((await read(websiteId, 'active')).body).toStrictEqual({ visitors: 1 })
  })
})
