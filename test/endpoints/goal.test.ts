import { describe, expect, it } from 'vitest'
import { event, id, string, view } from '../oracle/fixtures.ts'
import { day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

const by = (number: number) => ({ session_id: id(100 + number), visit_id: id(200 + number) })

/** Four sessions with actions, and a fifth with only web vitals. */
const rows = [
  view('10:00:00', { ...by(1), event_id: id(1), url_path: '/' }),
  view('10:00:01', { ...by(1), event_id: id(2), url_path: '/blog/a' }),
  event({ ...by(1), event_id: id(3), event_name: 'buy', url_path: '/shop%' }, [string('plan', 'pro')]),
  view('11:00:00', { ...by(2), event_id: id(4), url_path: '/blog/b_c', browser: 'safari' }),
  view('11:00:00', { ...by(2), event_id: id(5), url_path: '/blog/b_c', browser: 'safari' }),
  view('12:00:00', { ...by(3), event_id: id(6), url_path: '/Blog', event_type: 3 }),
  event({ ...by(4), event_id: id(7), event_name: 'buy now', url_path: '/blog/a' }),
  event({ ...by(5), event_id: id(8), event_type: 5, event_name: '', url_path: '/blog/a' }),
]

const websiteId = await websiteWith(...rows)

const asked = async (type: string, value: string, more: object = {}): Promise<unknown> =>
  (await read(websiteId, 'goals/stats', { ...day, type, value, ...more })).body

describe('a goal', () => {
  it.each([
    ['path', '/', 1],
    ['path', '/blog/*', 2],
    ['path', '*blog*', 2],
    ['path', '*', 3],
    ['path', '/blog/b%', 0],
    ['path', '/blog/a_c', 0],
    ['path', '/Blog', 1],
    ['path', '/shop%', 0],
    ['event', 'buy', 1],
    ['event', 'buy*', 2],
    ['event', 'b*y', 0],
    ['event', '*', 2],
  ])('counts the sessions with a %s that is %s, and all sessions with an action', async (type, value, num) => {
    expect(await asked(type, value)).toStrictEqual({ num, total: 4 })
  })

  it('filters both counts; a condition on events applies to the visit of a view', async () => {
    expect(await asked('path', '/blog/*', { browser: 'safari' })).toStrictEqual({ num: 1, total: 1 })
    // The first session's event and both its views match, and so does the fourth session's event.
    expect(await asked('path', '/*', { event: 'c.buy' })).toStrictEqual({ num: 1, total: 2 })
    expect(await asked('event', '*', { event: 'buy' })).toStrictEqual({ num: 1, total: 1 })
    expect(await asked('path', '/', { epf0: '1.eq.plan.pro' })).toStrictEqual({ num: 1, total: 1 })
    expect(await asked('path', '/', { eventType: '2' })).toStrictEqual({ num: 0, total: 2 })
    expect(await asked('path', '*', { excludeBounce: 'true' })).toStrictEqual({ num: 2, total: 3 })
    expect(await asked('path', '/', { startAt: 0, endAt: 1e11 })).toStrictEqual({ num: 0, total: 0 })
  })
})
