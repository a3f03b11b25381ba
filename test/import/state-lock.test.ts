import { spawnSync } from 'node:child_process'
import { existsSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { holdState } from '../../src/local/import/state-lock.ts'
import { ownName } from '../../src/local/machine/process-name.ts'
import { newState } from './moving.ts'

const longAgo = new Date(Date.now() - 20_000)
const [space] = ownName().split(' ')

/** Whether a lock file with this content lets another process in. */
function isFree(content: string, renewedAt = new Date()): boolean {
  const state = newState()
  writeFileSync(`${state}.lock`, content)
  utimesSync(`${state}.lock`, renewedAt, renewedAt)
  try {
    holdState(state)()
    return true
  } catch (error) {
    expect(error).toMatchObject({ message: expect.stringContaining(`Another import is running with ${state}`) })
    return false
  }
}

it('a lock file without a process is free', () => {
  for (const content of ['', '0', '-1', 'x', `${space} 0 1`])
    expect([content, isFree(content)]).toEqual([content, true])
})

it('the lock of a killed process is free, even if another process has its id now', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  expect(isFree(String(pid))).toBe(true)
  expect(isFree(`${space} ${pid} 1`)).toBe(true)
  expect(isFree(`${space} ${process.ppid} 1`)).toBe(true)
  expect(isFree(`${space} ${process.pid} 1`)).toBe(true)
  expect(isFree(String(process.ppid), longAgo)).toBe(true)
})

it('the lock of a process that is not visible is free once it is no longer renewed', () => {
  const earlierBoot = `another-boot-1 ${process.ppid} 1`
  expect(isFree(earlierBoot)).toBe(false)
  expect(isFree(earlierBoot, longAgo)).toBe(true)
})

it('the lock of a running process is held', () => {
  expect(isFree(String(process.ppid))).toBe(false)
})

it('a process renews its lock until it frees it', async () => {
  const state = newState()
  const free = holdState(state)
  utimesSync(`${state}.lock`, longAgo, longAgo)
  await expect.poll(() => statSync(`${state}.lock`).mtimeMs, { timeout: 5000 }).toBeGreaterThan(Date.now() - 10_000)
  free()
  expect(existsSync(`${state}.lock`)).toBe(false)
})
