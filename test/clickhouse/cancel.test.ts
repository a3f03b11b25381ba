import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { replicas } from '../../src/clickhouse/replicas.ts'
import { run } from '../../src/clickhouse/run.ts'
import { select } from '../../src/query/language/statement.ts'
import { clickhouse, sharedRoute } from '../support/weir.ts'

it('a hedged statement is cancelled in ClickHouse if another replica answers first', async () => {
  // No other statement has this timeout.
  const timeout = 37
  const running = async () => {
    const [row] = await clickhouse<{ count: number }>(
      `select count() as count from system.processes where Settings['max_execution_time'] = '${timeout}'`,
    )
    return row!.count
  }
  const quick = createServer(async (_, response) => {
    await expect.poll(running).toBe(1)
    response.end('{"data":[{"one":1}],"rows":1}')
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => quick.once('listening', listening))
  const [slow] = sharedRoute.replicas
  const url = `http://127.0.0.1:${(quick.address() as AddressInfo).port}`
  const two = [slow!, { ...slow!, name: 'quick', server: { ...slow!.server, url } }]
  const route = { ...sharedRoute, limits: { timeout }, replicas: replicas(two).all }
  const endless = select(() => z.object({ one: z.number() }))`
    select sum(number % 3) as one from numbers(1000000000000)`
  expect(await run(route, endless, new AbortController().signal)).toEqual({ rows: [{ one: 1 }], total: 1 })
  await expect.poll(running).toBe(0)
  quick.close()
  quick.closeAllConnections()
})
