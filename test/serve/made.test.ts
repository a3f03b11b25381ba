import { expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { made } from '../../src/made.ts'

it('made() creates a value only once, on first use', () => {
  let times = 0
  const make = () => {
    times += 1
    return undefined
  }
  expect(times).toBe(0)
  expect([made(make), made(make), times]).toEqual([undefined, undefined, 1])
})

it('no schemas are created while an isolate starts, however many endpoints there are', async () => {
  const begun: string[] = []
  onTestFinished(() => void z.config({ postProcessor: undefined }))
  z.config({ postProcessor: (schema: z.core.$ZodType) => begun.push(schema._zod.def.type) })
  const { api } = await import('../../src/app.ts')
  api()
  expect(begun).toEqual([])
  // This checks that the counter counts a new schema.
  z.string()
  expect(begun).toEqual(['string'])
})
