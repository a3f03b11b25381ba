import { describe, expect, it } from 'vitest'
import { configuredReplicas } from '../../src/clickhouse/configuration.ts'

const eu = { name: 'eu', url: 'https://eu.example:8443', continent: 'EU', password: 'PASSWORD_EU' }
const us = {
  ...{ name: 'us', url: 'https://us.example:8443', latitude: 45.6, longitude: -121.2, user: 'USER_US' },
  database: 'w',
}

const variables = {
  ...{ CLICKHOUSE_USER: 'weir_reader', CLICKHOUSE_PASSWORD: 'everywhere', CLICKHOUSE_DATABASE: 'weir' },
  ...{ PASSWORD_EU: 'of eu', USER_US: 'of us' },
}

const read = (list: unknown) => configuredReplicas({ ...variables, CLICKHOUSE_REPLICAS: list })

describe('CLICKHOUSE_REPLICAS', () => {
  it.each([
    ['a list', [eu, us]],
    ['its JSON', JSON.stringify([eu, us])],
  ])('is %s of servers, in which credentials are names of secrets', (_, list) => {
    expect(read(list)).toEqual([
      {
        name: 'eu',
        place: { continent: 'EU' },
        server: { url: 'https://eu.example:8443', username: 'weir_reader', password: 'of eu', database: 'weir' },
      },
      {
        name: 'us',
        place: { latitude: 45.6, longitude: -121.2 },
        server: { url: 'https://us.example:8443', username: 'of us', password: 'everywhere', database: 'w' },
      },
    ])
  })

  it('uses the database of CLICKHOUSE_DATABASE or of CLICKHOUSE_URL where an entry has none', () => {
    const url = 'https://here.example:8443/?database=of-url'
    const databaseOf = (more: object) =>
      configuredReplicas({ CLICKHOUSE_REPLICAS: [{ ...eu, password: undefined }], ...more })[0]!.server.database
    expect([
      databaseOf({ CLICKHOUSE_URL: url }),
      databaseOf({ CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: 'given' }),
      databaseOf({ CLICKHOUSE_DATABASE: 'given' }),
      databaseOf({}),
    ]).toEqual(['of-url', 'given', 'given', 'default'])
  })

  it.each(['http://127.0.0.1:8123', 'http://localhost:8123', 'http://[::1]:8123'])(
    'allows http on this machine: %s',
    (url) => {
      expect(read([{ ...eu, url }])[0]!.server.url).toBe(url)
    },
  )

  it.each<[unknown, string]>([
    ['[', 'CLICKHOUSE_REPLICAS: It is not JSON.'],
    [{ eu }, 'CLICKHOUSE_REPLICAS: It is not a list.'],
    ['7', 'CLICKHOUSE_REPLICAS: It is not a list.'],
    [[], 'CLICKHOUSE_REPLICAS: It has no entry.'],
    [[eu, us, { ...us, name: 'eu' }], 'CLICKHOUSE_REPLICAS: Entry 3 ("eu"): another entry has this name.'],
    [[eu, 'us'], 'CLICKHOUSE_REPLICAS: Entry 2: '],
    [[eu, null], 'CLICKHOUSE_REPLICAS: Entry 2: '],
    [[{ ...eu, name: undefined }], 'Entry 1: name: Give each replica a name.'],
    [[{ ...eu, name: 'e u\r\n' }], 'name: Must be 1 to 40 letters'],
    [[eu, { ...us, latitude: undefined, longitude: undefined }], 'Entry 2 ("us"): its position is missing.'],
    [[{ ...us, longitude: undefined }], 'Entry 1 ("us"): give both latitude and longitude.'],
    [[{ ...us, latitude: 91 }], 'latitude: Must be a number from -90 to 90.'],
    [[{ ...us, latitude: '45' }], 'latitude: Must be a number from -90 to 90.'],
    [[{ ...eu, continent: 'Europe' }], 'continent: Must be one of AF, AS, EU, NA, OC, SA.'],
    [[{ ...eu, colo: 'Frankfurt' }], 'colo: Must be an airport code'],
    [[{ ...eu, url: 'eu.example' }], 'Entry 1 ("eu"): url is not a URL.'],
    [[{ ...eu, url: undefined }], 'url: Give scheme, host and port'],
    [[{ ...eu, url: 'ftp://eu.example' }], 'url must begin with https://'],
    [[{ ...eu, url: 'http://eu.example:8123' }], 'Entry 1 ("eu"): url must begin with https://.'],
    [[{ ...eu, url: 'http://127.0.0.1.example' }], 'url must begin with https://.'],
    [[{ ...eu, url: 'https://user:secret@eu.example' }], 'url must contain only scheme, host and port.'],
    [[{ ...eu, url: 'https://eu.example/?database=weir' }], 'url must contain only scheme, host and port.'],
    [[{ ...eu, password: 'PASSWORD_OF_NOBODY' }], 'Entry 1 ("eu"): there is no variable or secret PASSWORD_OF_NOBODY.'],
    [[{ ...eu, password: 'hunter2' }], 'password: Must be the name of a variable or secret.'],
    [[{ ...eu, zone: 'a' }], 'Entry 1 ("eu"): '],
  ])('is refused with an error that identifies the entry: %j', (list, message) => {
    expect(() => read(list)).toThrow(message)
  })

  it('does not reveal secrets in error messages', () => {
    expect(() => read([{ ...eu, url: 'https://user:secret@eu.example' }])).toThrow(/^(?!.*secret@).*$/)
  })
})

describe('the user for shares and public websites', () => {
  const visitorOf = (more: object) => configuredReplicas({ ...variables, ...more })[0]!.visitor

  it('is weir_visitor on the same server if its password is configured; otherwise there is no such user', () => {
    const CLICKHOUSE_URL = 'http://host:8123'
    expect(visitorOf({ CLICKHOUSE_URL })).toBe(undefined)
    expect(visitorOf({ CLICKHOUSE_URL, CLICKHOUSE_VISITOR_PASSWORD: 'secret' })).toEqual({
      ...{ url: CLICKHOUSE_URL, database: 'weir' },
      ...{ username: 'weir_visitor', password: 'secret' },
    })
    const other = { CLICKHOUSE_VISITOR_USER: 'other', CLICKHOUSE_VISITOR_PASSWORD: 'secret' }
    expect(visitorOf({ CLICKHOUSE_URL, ...other })).toMatchObject({ username: 'other', password: 'secret' })
  })

  it('may have a separate password on a replica', () => {
    const list = [{ ...eu, visitorPassword: 'PASSWORD_OF_VISITORS' }, us]
    const secrets = { PASSWORD_OF_VISITORS: 'of visitors', CLICKHOUSE_VISITOR_PASSWORD: 'of all' }
    const found = configuredReplicas({ ...variables, ...secrets, CLICKHOUSE_REPLICAS: list })
    expect(found.map(({ visitor }) => visitor?.password)).toEqual(['of visitors', 'of all'])
    expect(() => read([{ ...eu, visitorPassword: 'PASSWORD_OF_NOBODY' }])).toThrow('no variable or secret')
  })
})

describe('CLICKHOUSE_URL', () => {
  it('is turned into a list of one server without a location', () => {
    expect(configuredReplicas({ ...variables, CLICKHOUSE_URL: 'http://host:8123/?database=other' })).toEqual([
      {
        name: 'clickhouse',
        place: {},
        server: { url: 'http://host:8123', username: 'weir_reader', password: 'everywhere', database: 'weir' },
      },
    ])
  })

  it.each([undefined, '', 'host:8123x'])('is refused if it is not a URL: %s', (url) => {
    expect(() => configuredReplicas({ CLICKHOUSE_URL: url })).toThrow('CLICKHOUSE_URL is not a URL.')
  })
})
