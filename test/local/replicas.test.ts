import { describe, expect, it } from 'vitest'
import { LogClock } from '../../src/collect/clock.ts'
import { writeServer } from '../../src/collect/insert.ts'
import type { Env } from '../../src/env.ts'
import { replicaBindings, unreadableReplicas } from '../../src/local/start/replicas.ts'
import { weir } from '../support/commands.ts'
import { running } from '../support/weir.ts'

const engine = new URL(running.clickhouse)
const field = (name: string): string => engine.searchParams.get(name)!

const here = { name: 'here', url: engine.origin, continent: 'EU', user: 'USER_HERE', password: 'PASSWORD_HERE' }
const gone = { name: 'gone', url: 'http://127.0.0.1:9', continent: 'NA' }

const variables = {
  ...{ CLICKHOUSE_URL: running.clickhouse, CLICKHOUSE_DATABASE: field('database') },
  ...{ CLICKHOUSE_REPLICAS: JSON.stringify([here, gone]), USER_HERE: field('user') },
  ...{ PASSWORD_HERE: field('password'), OF_NO_REPLICA: 'secret' },
}

describe('replicas on this machine', () => {
  it('pass only their own secrets to the Worker', () => {
    expect(replicaBindings(variables)).toEqual({
      ...{ CLICKHOUSE_REPLICAS: variables.CLICKHOUSE_REPLICAS, CLICKHOUSE_URL: variables.CLICKHOUSE_URL },
      ...{ CLICKHOUSE_USER: '', CLICKHOUSE_PASSWORD: '' },
      ...{ CLICKHOUSE_VISITOR_USER: '', CLICKHOUSE_VISITOR_PASSWORD: '' },
      ...{ USER_HERE: field('user'), PASSWORD_HERE: field('password') },
    })
    expect(replicaBindings({})).toEqual({})
  })

  it('leave the credentials in CLICKHOUSE_URL to the server that receives events', () => {
    const { writer } = writeServer(replicaBindings(variables) as unknown as Env, new LogClock())
    expect(writer).toMatchObject({ url: engine.origin, username: field('user'), password: field('password') })
  })

  it('cause a warning if they cannot be read', async () => {
    expect(await unreadableReplicas(variables)).toEqual([
      expect.stringMatching(/^The replica gone \(http:\/\/127\.0\.0\.1:9\) cannot be read: /),
    ])
    expect(await unreadableReplicas({})).toEqual([])
  })

  it.each([
    [
      { ...variables, CLICKHOUSE_REPLICAS: JSON.stringify([here, { ...gone, name: 'here' }]) },
      'CLICKHOUSE_REPLICAS: Entry 2 ("here"): another entry has this name.\n',
    ],
    [
      { ...variables, CLICKHOUSE_URL: undefined },
      'CLICKHOUSE_REPLICAS needs CLICKHOUSE_URL, too: the server that events and commands write to.\n',
    ],
  ])('are refused if the list is invalid or CLICKHOUSE_URL is missing', async (env, stderr) => {
    expect(await weir(['check'], { env })).toEqual({ code: 2, stdout: '', stderr })
  })
})
