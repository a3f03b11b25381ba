import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { openMetadata, type Workerd } from '../../src/local/workerd.ts'
import { running } from '../support/weir.ts'
import { ask } from './requests.ts'
import { expected } from './table.ts'
import { type Caller, callers, newWorld, targetOf, type World } from './world.ts'

let workerd: Workerd
const secret = readFileSync(`${running.dataDir}/auth-secret`, 'utf8')
const fresh = (): Promise<World> => newWorld(workerd.metadata, secret)

beforeAll(async () => {
  workerd = await openMetadata(running.dataDir)
})
afterAll(() => workerd.close())

describe('the table of permissions', () => {
  it('has a row for every endpoint, and no other', () => {
    const served = endpoints.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(expected.map(({ endpoint }) => endpoint).sort()).toEqual(served.sort())
  })

  it.each(expected.map(({ endpoint, status }) => [endpoint, status] as const))(
    'holds for %s',
    async (endpoint, status) => {
      const changes = !endpoint.startsWith('GET ')
      let world = await fresh()
      const answered: Partial<Record<Caller, number>> = {}
      for (const caller of callers) {
        answered[caller] = (await ask(endpoint, caller, world, world.targets[targetOf(caller)])).status
        // What was changed is gone, or another's by now.
        if (changes && answered[caller]! < 400) world = await fresh()
      }
      expect(answered).toEqual(status)
    },
  )
})
