import { describe, expect, it } from 'vitest'
import { type Position, positionOf, roundTrip } from '../../src/clickhouse/position.ts'
import { nearest, replicas } from '../../src/clickhouse/replicas.ts'
import { routeTo } from '../support/route.ts'

const server = { url: 'http://localhost', username: '', password: '', database: '', timeout: 30 }

const places: Readonly<Record<string, Position>> = {
  oregon: { latitude: 45.6, longitude: -121.2 },
  frankfurt: { latitude: 50.1, longitude: 8.7, colo: 'FRA' },
  sydney: { continent: 'OC' },
}

const all = () => replicas(Object.entries(places).map(([name, place]) => ({ name, place, server }))).all

/** The names in the order in which they would be queried. */
function order(from: Position, among = all(), now = 0): string[] {
  const route = { ...routeTo(server), replicas: among, from, time: () => now }
  const asked = new Set<ReturnType<typeof all>[number]>()
  for (let next = nearest(route, asked); next; next = nearest(route, asked)) asked.add(next)
  return [...asked].map(({ name }) => name)
}

describe('the order of replicas', () => {
  it.each<[string, object | undefined, string[]]>([
    ['Tokyo', { latitude: '35.7', longitude: '139.7' }, ['sydney', 'oregon', 'frankfurt']],
    ['Paris', { continent: 'EU', latitude: '48.9', longitude: '2.4' }, ['frankfurt', 'oregon', 'sydney']],
    ['Asia', { continent: 'AS' }, ['frankfurt', 'sydney', 'oregon']],
    ['South America', { continent: 'SA', latitude: 'far' }, ['oregon', 'frankfurt', 'sydney']],
    [
      'the data centre of a replica, no matter where the caller is',
      { colo: 'FRA', latitude: '45', longitude: '-120' },
      ['frankfurt', 'oregon', 'sydney'],
    ],
    ['nowhere known', { continent: 'T1', colo: 7 }, ['oregon', 'frankfurt', 'sydney']],
    ['a request without a location', undefined, ['oregon', 'frankfurt', 'sydney']],
  ])('is by distance: from %s', (_, cf, expected) => {
    expect(order(positionOf(cf))).toEqual(expected)
  })

  it('takes measured delays into account, and forgets them over time', () => {
    const among = all()
    const [oregon] = among
    const from = positionOf({ continent: 'NA' })
    oregon!.breaker.slower(400, 0)
    expect(order(from, among)).toEqual(['frankfurt', 'sydney', 'oregon'])
    expect(order(from, among, 60_000)).toEqual(['oregon', 'frankfurt', 'sydney'])
  })

  it('skips a replica whose breaker is open', () => {
    const among = all()
    for (let failure = 0; failure < 3; failure++) among[0]!.breaker.failed(0)
    expect(order({}, among)).toEqual(['frankfurt', 'sydney'])
  })

  it('assumes a millisecond per hundred kilometres', () => {
    const [newYork, london] = [
      { latitude: 40.71, longitude: -74.01 },
      { latitude: 51.51, longitude: -0.13 },
    ]
    expect(roundTrip(newYork, london)).toBeCloseTo(55.7, 0)
    expect(roundTrip(london, newYork)).toBe(roundTrip(newYork, london))
    expect(roundTrip({ latitude: 0, longitude: 179 }, { latitude: 0, longitude: -179 })).toBeLessThan(3)
  })
})
