import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { places } from '../../src/local/paths.ts'
import { lockMetadata } from '../../src/local/storage/metadata-lock.ts'

const folder = (): string => mkdtempSync(`${tmpdir()}/weir-lock-`)
const nothing = async (): Promise<undefined> => undefined

it('lets one at a time have the file, in whatever order they come', async () => {
  const dataDir = folder()
  let [holding, most] = [0, 0]
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const free = await lockMetadata<never>(dataDir, nothing)
      most = Math.max(most, ++holding)
      await new Promise(setImmediate)
      holding--
      free()
    }),
  )
  expect(most).toBe(1)
  expect(existsSync(places(dataDir).metadataLock)).toBe(false)
})

it('takes over what a killed process left behind', async () => {
  const dataDir = folder()
  const file = places(dataDir).metadataLock
  writeFileSync(file, String(spawnSync(process.execPath, ['-e', '']).pid))
  const free = await lockMetadata<never>(dataDir, nothing)
  expect(readFileSync(file, 'utf8')).toBe(String(process.pid))
  free()
})

it('takes over what nobody renews, though another process has the number; the holder renews it', async () => {
  const dataDir = folder()
  const file = places(dataDir).metadataLock
  const old = new Date(Date.now() - 20_000)
  writeFileSync(file, String(process.ppid))
  utimesSync(file, old, old)
  const free = await lockMetadata<never>(dataDir, nothing)
  utimesSync(file, old, old)
  await expect.poll(() => statSync(file).mtimeMs, { timeout: 5000 }).toBeGreaterThan(Date.now() - 10_000)
  free()
  expect(existsSync(file)).toBe(false)
})

it('ends the wait with what is found in its place', async () => {
  const dataDir = folder()
  const free = await lockMetadata<never>(dataDir, nothing)
  let looks = 0
  expect(await lockMetadata(dataDir, async () => (++looks === 3 ? 'a Worker' : undefined))).toBe('a Worker')
  free()
})
