import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { root } from '../../src/local/paths.ts'

/** A process's exit code and output. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** A running npm script. */
export interface Script {
  readonly child: ChildProcess
  /** The first complete line on stdout. Rejects if the process ends without one. */
  readonly firstLine: Promise<string>
  readonly ended: Promise<Ended>
}

const children: ChildProcess[] = []

/** A test that failed leaves its processes running. */
afterAll(() => {
  for (const { pid, exitCode, signalCode } of children.splice(0)) {
    if (exitCode === null && signalCode === null) for (const one of family(pid!)) kill(one)
  }
})

/** This process and all processes below it. */
export function family(pid: number): number[] {
  const children = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const below = (parent: number): number[] =>
    children.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child, ...below(child)])
  return [pid, ...below(pid)]
}

/** Kills the process, unless it has ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Starts `npm <words>` in a checkout, by default this one. `--silent` keeps npm's own banner off stdout. */
export const npm = (words: readonly string[], env?: NodeJS.ProcessEnv, checkout = root): Script =>
  started('npm', ['--silent', ...words], env, checkout)

const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as { scripts: Record<string, string> }

/**
 * Starts the program behind `npm run NAME -- WORDS` without npm, which takes half a second of processor time.
 * `start.test.ts` uses npm.
 */
export const spawned = (name: 'start' | 'weir' | 'size', words: readonly string[], env = process.env): Script =>
  started('sh', ['-c', `${scripts[name]} "$@"`, name, ...words], {
    ...env,
    PATH: `${root}/node_modules/.bin:${env.PATH}`,
  })

export function started(
  command: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  cwd = root,
): Script {
  const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  const firstLine = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')))
    })
    ended.then(({ code }) => reject(new Error(`Ended with ${code} and no line:\n${stderr}`)))
  })
  firstLine.catch(() => {})
  return { child, firstLine, ended }
}

/** Runs an npm script until it ends. */
export const run = (words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> => npm(words, env).ended

/** Whether the process still exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
