import { describe, expect, it } from 'vitest'
import { post } from '../support/callers.ts'
import { eventsIn } from '../support/lines.ts'
import { refused } from '../support/refusals.ts'
import { day, websiteWith } from '../support/website.ts'
import { get, newWebsite, read } from '../support/weir.ts'

interface Step {
  readonly type: 'path' | 'event'
  readonly value: string
  readonly filters?: readonly { readonly property: string; readonly operator: string; readonly value: string }[]
}

/** `/a` is a step of type path, and `buy` a step of type event. */
const stepsOf = (text: string): Step[] =>
  text.split(' ').map((value) => ({ type: /^\*?\//.test(value) ? 'path' : 'event', value }))

async function funnel(steps: readonly Step[], window: number, more: object = {}, website = websiteId) {
  const query = { ...day, window, steps: JSON.stringify(steps), ...more }
  return (await read(website, 'funnels/stats', query)).body
}

/** How many sessions reach each step. */
const reached = async (
  steps: string | readonly Step[],
  window: number,
  more: object = {},
  website = websiteId,
): Promise<number[]> =>
  (await funnel(typeof steps === 'string' ? stepsOf(steps) : steps, window, more, website)).map(
    ({ visitors }: { visitors: number }) => visitors,
  )

const websiteId = await websiteWith(
  ...eventsIn(`
    A1 12:00:00      /home        browser=chrome
    A1 12:01:00      /pricing     browser=chrome
    A1 12:02:00      buy          browser=chrome plan:pro
    B1 12:00:00      /home        browser=safari
    B1 12:10:00      /home        browser=safari
    B1 12:10:59.999  /pricing     browser=safari
    B1 12:11:59.999  buy          browser=safari plan:free
    B1 12:11:59.999  buy          browser=safari plan:Pro
    C1 12:00:00      /pricing     browser=safari
    C1 12:00:00      /home        browser=safari
    C1 12:00:00      buy          browser=safari
    D1 12:00:00      /home        browser=chrome
    D1 12:02:00.001  /pricing     browser=chrome
    D2 12:03:00.001  buy          browser=chrome country=DE
    E1 12:00:00      /home        event_type=5
    E1 12:00:00      /pricing     browser=chrome
    F1 12:00:00      /home%       browser=chrome
  `),
)

describe('a funnel', () => {
  it('counts the sessions that reach each step, and those that drop out before it', async () => {
    const steps = stepsOf('/home /pricing buy')
    expect(await funnel(steps, 1)).toStrictEqual([
      { ...steps[0], visitors: 4, previous: 0, dropped: 0, dropoff: 0, remaining: 1 },
      { ...steps[1], visitors: 3, previous: 4, dropped: 1, dropoff: 0.25, remaining: 0.75 },
      { ...steps[2], visitors: 3, previous: 3, dropped: 0, dropoff: 0, remaining: 0.75 },
    ])
    expect(await funnel(stepsOf('/nowhere buy'), 1)).toStrictEqual([
      { ...stepsOf('/nowhere')[0], visitors: 0, previous: 0, dropped: 0, dropoff: 0, remaining: 0 },
      { ...steps[2], visitors: 0, previous: 0, dropped: 0, dropoff: 0, remaining: 0 },
    ])
  })

  it('limits the time between consecutive steps inclusively, to the millisecond', async () => {
    expect(await reached('/home /pricing buy', 2)).toStrictEqual([4, 3, 3])
    expect(await reached('/home /pricing buy', 2.0001)).toStrictEqual([4, 4, 4])
    expect(await reached('/home /pricing', 0.99999)).toStrictEqual([4, 2])
    expect(await reached('/home /pricing', 525_600)).toStrictEqual([4, 4])
  })

  it('accepts events in the same millisecond in either order', async () => {
    expect(await reached('/home /pricing buy', 0.0000000001)).toStrictEqual([4, 1, 1])
    expect(await reached('buy /pricing /home', 1)).toStrictEqual([4, 1, 1])
    expect(await reached('/pricing buy /pricing', 1)).toStrictEqual([5, 4, 1])
  })

  it('needs a separate event for each step', async () => {
    expect(await reached('/home /home', 525_600)).toStrictEqual([4, 1])
    expect(await reached('buy buy buy', 1)).toStrictEqual([4, 1, 1])
    expect(await reached('/* /*', 1)).toStrictEqual([6, 3])
  })

  it('accepts * for any text at the start or end of a value; other characters are literal', async () => {
    expect(await reached('/h* *', 1)).toStrictEqual([5, 1])
    expect(
      await reached(
        [
          { type: 'path', value: '*icin*' },
          { type: 'event', value: 'b*' },
        ],
        1,
      ),
    ).toStrictEqual([5, 4])
    expect(await reached('/home% /home', 1)).toStrictEqual([1, 0])
    expect(await reached('/h*me /home', 1)).toStrictEqual([0, 0])
    expect(await reached('/Home /home', 1)).toStrictEqual([0, 0])
  })

  it('matches paths against views and names against custom events, never against web vitals', async () => {
    expect(
      await reached(
        [
          { type: 'event', value: '/home' },
          { type: 'path', value: 'buy' },
        ],
        1,
      ),
    ).toStrictEqual([0, 0])
    expect(await reached('/home* /pricing', 1, { eventType: 5 })).toStrictEqual([0, 0])
  })

  it('can filter an event step by properties; each filter must match a property', async () => {
    const asked = (operator: string, value: string, property = 'plan') =>
      reached([...stepsOf('/pricing'), { type: 'event', value: 'buy', filters: [{ property, operator, value }] }], 1)
    expect(await asked('eq', 'pro')).toStrictEqual([5, 1])
    expect(await asked('c', 'PRO')).toStrictEqual([5, 2])
    expect(await asked('neq', 'pro')).toStrictEqual([5, 1])
    expect(await asked('dnc', 'pro')).toStrictEqual([5, 1])
    expect(await asked('neq', 'pro', 'none')).toStrictEqual([5, 0])
    const filters = ['free', 'Pro'].map((value) => ({ property: 'plan', operator: 'eq', value }))
    expect(await reached([...stepsOf('/pricing'), { type: 'event', value: 'buy', filters }], 1)).toStrictEqual([5, 0])
  })

  it('returns the steps exactly as given', async () => {
    const filters = [{ property: 'plan', operator: 'eq', value: 'pro' }] as const
    const steps: Step[] = [
      { type: 'event', value: '*', filters },
      { type: 'path', value: '*', filters: [] },
    ]
    expect(await funnel(steps, 1)).toMatchObject(steps)
  })

  it.each(['*', '**'])('filters an event step named %s by properties, even by one that no event has', async (value) => {
    const step = (operator: string, property = 'plan'): Step => ({
      type: 'event',
      value,
      filters: [{ property, operator, value: 'pro' }],
    })
    const pages = stepsOf('/pricing')
    expect(await reached([...pages, step('eq')], 5)).toStrictEqual([5, 1])
    expect(await reached([...pages, step('neq', 'none')], 5)).toStrictEqual([5, 0])
    expect(await reached([step('neq', 'none'), ...pages], 5)).toStrictEqual([0, 0])
    expect(await reached([...pages, step('neq', 'none')], 5, {}, await newWebsite())).toStrictEqual([0, 0])
  })

  it.each<[string, object, string]>([
    ['one step', { steps: JSON.stringify(stepsOf('/home')) }, 'steps'],
    ['nine steps', { steps: JSON.stringify(stepsOf('/a /b /c /d /e /f /g /h /i')) }, 'steps'],
    ['no JSON', { steps: '[{' }, 'steps'],
    ['no array', { steps: '{"type":"path","value":"/"}' }, 'steps'],
    ['nesting', { steps: '['.repeat(5000) }, 'steps'],
    ['length', { steps: ' '.repeat(20_001) }, 'steps'],
    ['a type', { steps: '[{"type":"path","value":"/"},{"type":"url","value":"/"}]' }, 'steps'],
    ['an empty value', { steps: '[{"type":"path","value":"/"},{"type":"path","value":""}]' }, 'steps'],
    ['a value that is not a text', { steps: '[{"type":"path","value":"/"},{"type":"path","value":5}]' }, 'steps'],
    ['a long value', { steps: JSON.stringify(stepsOf(`/a ${'b'.repeat(501)}`)) }, 'steps'],
    ['an unknown key', { steps: '[{"type":"path","value":"/"},{"type":"path","value":"/","x":1}]' }, 'steps'],
    ['a filter on a path', { steps: filtered('path', 'eq') }, 'steps'],
    ['an operator', { steps: filtered('event', 're') }, 'steps'],
    ...['0', '-1', '525600.1', '1e3', '', 'x', '0.000000000000000000001', ' 1', '0x1', '1e-1000'].map(
      (window): [string, object, string] => [`a window of "${window}"`, { window }, 'window'],
    ),
  ])('refuses %s', async (_, change, path) => {
    const good = { ...day, window: '1', steps: JSON.stringify(stepsOf('/home /pricing')) }
    refused(await get(`/api/websites/${websiteId}/funnels/stats`, { ...good, ...change }), path)
    const { startAt, endAt, ...parameters } = { ...good, ...change }
    const body = { websiteId, type: 'funnel', filters: {}, parameters: { startAt, endAt, ...parameters } }
    refused(await post('/api/reports/funnel', body), `parameters.${path}`)
  })
})

function filtered(type: string, operator: string): string {
  const filters = [{ property: 'plan', operator, value: 'pro' }]
  return JSON.stringify([
    { type: 'path', value: '/' },
    { type, value: '/', filters },
  ])
}
