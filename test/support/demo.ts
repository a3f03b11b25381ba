import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { root } from '../../src/local/paths.ts'

/** The URLs of the demo website of `npm start`. */
export interface Demo {
  /** The URL has no slash at the end. */
  readonly url: string
  /** The URL of its share page. */
  readonly share: string
  readonly websiteId: string
  /** The URL for statements, with its password. */
  readonly clickhouse: string
  readonly apiKey: string
}

/** Starts Weir with this data folder, which is emptied first, and stops it after `act`. */
export async function withDemo<Result>(dir: string, act: (demo: Demo) => Promise<Result>): Promise<Result> {
  rmSync(dir, { recursive: true, force: true })
  const flags = ['--port', '0', '--clickhouse-port', '0', '--data-dir', dir, '--json']
  const child = spawn('node', ['--import', 'tsx', 'src/local/start.ts', ...flags], {
    ...{ cwd: root, stdio: ['ignore', 'pipe', 'ignore'] },
  })
  const ended = once(child, 'exit')
  try {
    const [line] = (await Promise.race([once(createInterface(child.stdout!), 'line'), ended])) as [unknown]
    if (typeof line !== 'string') throw new Error('The demo did not start.')
    return await act(JSON.parse(line) as Demo)
  } finally {
    child.kill()
    await ended
  }
}
