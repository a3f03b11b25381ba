import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { places } from '../../src/local/paths.ts'
import { lockMetadata } from '../../src/local/storage/metadata-lock.ts'

const folder = (): string => mkdtempSync(`${tmpdir()}/weir-lock-`)
const nothing = async (): Promise<undefined> => undefined

it('only one caller at a time holds the lock, whatever their order', async () => {
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

it('a killed process’s lock is taken over', async () => {
  const dataDir = folder()
  const file = places(dataDir).metadataLock
  writeFileSync(file, String(spawnSync(process.execPath, ['-e', '']).pid))
  const free = await lockMetadata<never>(dataDir, nothing)
  expect(readFileSync(file, 'utf8')).toBe(String(process.pid))
  free()
})

it('a lock that is not renewed is taken over, even if its process id is in use; holders renew theirs', async () => {
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

it('the wait for the lock ends as soon as an alternative is found', async () => {
  const dataDir = folder()
  const free = await lockMetadata<never>(dataDir, nothing)
  let looks = 0
  expect(await lockMetadata(dataDir, async () => (++looks === 3 ? 'a Worker' : undefined))).toBe('a Worker')
  free()
})
