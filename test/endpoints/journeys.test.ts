import { describe, expect, it } from 'vitest'
import { eventsIn } from '../support/lines.ts'
import { day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

const websiteId = await websiteWith(
  ...eventsIn(`
    A1 12:00:00      /home        browser=chrome
    A1 12:00:00      /pricing     browser=chrome
    A1 12:00:00.001  buy          browser=chrome
    A2 13:00:00      /pricing     browser=chrome
    A2 13:00:01      /home        browser=chrome
    B1 12:00:00      /home        browser=safari
    B1 12:00:00      /home        browser=safari
    B1 12:01:00      /pricing     browser=safari
    B1 12:02:00      buy          browser=safari
    B1 12:03:00      buy          browser=safari
    C1 12:00:01      /pricing     browser=safari
    C1 12:00:00      /home        browser=safari
    C1 12:00:01      buy          browser=safari
    C1 12:00:02      /home        browser=safari
    D1 12:00:00      /home        event_type=3
    D1 12:00:01      /home        event_type=2  event_name=/home
    E1 12:00:00      /pricing     event_type=5
    F1 12:00:00      /é           browser=chrome
    F1 12:00:01      /pricing     event_type=5
    G1 12:00:00      /z           event_type=4
  `),
)

interface Journey {
  readonly items: readonly string[]
  readonly count: number
}

const journeys = async (more: object): Promise<Journey[]> =>
  (await read(websiteId, 'journeys', { ...day, ...more } as never)).body

/** Lines such as `2 /home /pricing`. */
const lines = async (more: object): Promise<string[]> =>
  (await journeys(more)).map(({ items, count }) => [count, ...items].join(' '))

describe('journeys', () => {
  it('list each visit’s labels in order, without consecutive repeats, up to the number of steps', async () => {
    expect(await journeys({ steps: 3 })).toStrictEqual([
      { items: ['/home', '/pricing', 'buy'], count: 3 },
      { items: ['/home'], count: 1 },
      { items: ['/pricing', '/home'], count: 1 },
      { items: ['/z'], count: 1 },
      { items: ['/é'], count: 1 },
    ])
    expect(await lines({ steps: 2 })).toStrictEqual(['3 /home /pricing', '1 /home', '1 /pricing /home', '1 /z', '1 /é'])
    expect(await lines({ steps: 7 })).toStrictEqual([
      ...['2 /home /pricing buy', '1 /home', '1 /home /pricing buy /home', '1 /pricing /home', '1 /z', '1 /é'],
    ])
  })

  it('can be limited to those that start or end with a step', async () => {
    expect(await lines({ steps: 7, startStep: '/pricing' })).toStrictEqual(['1 /pricing /home'])
    expect(await lines({ steps: 7, endStep: '/home' })).toStrictEqual([
      ...['1 /home', '1 /home /pricing buy /home', '1 /pricing /home'],
    ])
    expect(await lines({ steps: 3, startStep: '/home', endStep: 'buy' })).toStrictEqual(['3 /home /pricing buy'])
    expect(await lines({ steps: 3, startStep: 'buy' })).toStrictEqual([])
    expect(await lines({ steps: 3, startStep: '/h*' })).toStrictEqual([])
    expect(await lines({ steps: 3, startStep: '', endStep: '' })).toStrictEqual(await lines({ steps: 3 }))
  })
})
