import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepRunning, type Running } from '../../src/local/start/supervise.ts'

let told: string[]
beforeEach(() => {
  vi.useFakeTimers()
  told = []
  vi.spyOn(console, 'error').mockImplementation((line: string) => void told.push(line))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A process that ends this many milliseconds after it starts. */
const lasting = (milliseconds: number): Running => ({
  ended: new Promise((resolve) => setTimeout(() => resolve('SIGKILL'), milliseconds)),
  close: async () => {},
})

describe('a process that is kept running', () => {
  it('is not restarted after it has ended six times', async () => {
    const begin = Date.now()
    const starts: number[] = []
    const again = async () => {
      starts.push(Date.now() - begin)
      return lasting(0)
    }
    const kept = keepRunning('It', lasting(0), again, new AbortController().signal)
    const refused = expect(kept).rejects.toThrow(
      'It ended unexpectedly (SIGKILL). It was restarted 5 times and does not keep running.',
    )
    await vi.runAllTimersAsync()
    await refused
    expect(starts).toEqual([500, 1500, 3500, 7500, 15_500])
    expect(told.filter((line) => line === 'It ended unexpectedly (SIGKILL). Restarting it.')).toHaveLength(5)
  })

  it('is not restarted if it does not start, and the reason is printed', async () => {
    const again = async () => {
      throw new Error('No place.')
    }
    const refused = expect(keepRunning('It', lasting(0), again, new AbortController().signal)).rejects.toThrow(
      '5 times',
    )
    await vi.runAllTimersAsync()
    await refused
    expect(told).toContain('It did not start: No place. Restarting it.')
  })

  it('is restarted without limit if each run lasts a minute, until it is stopped', async () => {
    const stopping = new AbortController()
    let starts = 0
    const again = async () => {
      if (++starts === 20) stopping.abort()
      return lasting(60_000)
    }
    const kept = keepRunning('It', lasting(0), again, stopping.signal)
    await vi.runAllTimersAsync()
    await kept
    expect(starts).toBe(20)
  })
})
