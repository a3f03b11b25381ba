import { expect, it } from 'vitest'
import type { Env } from '../../src/env.ts'
import { logStates, recordingStates } from '../../src/serve/logs.ts'

/** A Durable Object namespace that records the requested ids. workerd itself does not support jurisdictions. */
function namespaceOf(asked: string[], jurisdiction = 'anywhere'): object {
  return {
    jurisdiction: (name: string) => namespaceOf(asked, name),
    idFromName: (name: string) => `${jurisdiction} ${name}`,
    get(id: string) {
      asked.push(id)
      return { objects: async () => 2, state: async () => ({}), recordingState: async () => ({}) }
    },
  }
}

it.each([
  [undefined, 'anywhere'],
  ['eu', 'eu'],
])('the logs are in the jurisdiction %s', async (JURISDICTION, place) => {
  const asked: string[] = []
  const env = { COLLECT: namespaceOf(asked), COLLECT_LOGS: 2, ...(JURISDICTION && { JURISDICTION }) } as unknown as Env
  await logStates(env)
  await recordingStates(env)
  const names = ['log-0', 'log-0/1', 'log-1', 'log-1/1', 'recordings-0', 'recordings-1']
  expect([...new Set(asked)].sort()).toEqual(names.map((name) => `${place} ${name}`))
})
