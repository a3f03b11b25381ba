import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { spentBy } from './support/spent.ts'

/**
 * `npm run test:profile -- FILES` runs these tests, or all, and prints processor times by kind of process.
 * `dearest.ts` prints them per file, and `global-setup.ts` per kind of statement. Linux only.
 */

/** The kinds of processes. The first one whose pattern matches the command line applies. */
const kinds: readonly (readonly [kind: string, inCommand: RegExp])[] = [
  ['engine', /weir-engine\b.*main\.mjs|src\/local\/engine\/main/],
  ['workers of vitest', /vitest\/dist\/workers/],
  ['vitest', /\bvitest\b/],
  ['workerd', /\bworkerd\b/],
  ['Chromium', /chrom/i],
  ['types and style', /typescript|\/tsc\b|biome/],
  ['commands of Weir', /src\/local\/|\btsx\b/],
]

interface Seen {
  readonly kind: string
  readonly own: number
}

/** Processes by number and start, because numbers are soon reused on a busy machine. */
const seen = new Map<string, Seen>()

/** The sampling interval in milliseconds. Time that a process spends after its last sample is counted as unseen. */
const lookEvery = 200

/** Samples all descendants of this process, including children of ended processes. */
function look(): void {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const spent = new Map(all.flatMap((pid) => [[pid, spentBy(pid)] as const]))
  const keyOf = (pid: number) => `${pid} ${spent.get(pid)?.start}`
  const isBelow = (pid: number): boolean => {
    const parent = spent.get(pid)?.parent
    return parent === process.pid || seen.has(keyOf(pid)) || (parent !== undefined && parent > 1 && isBelow(parent))
  }
  for (const [pid, now] of spent) {
    if (!now || !isBelow(pid)) continue
    const known = seen.get(keyOf(pid))
    // A shell turns into the program that it starts.
    const kind = known && known.own > 0.1 ? known.kind : kindOf(pid, seen.get(keyOf(now.parent))?.kind)
    seen.set(keyOf(pid), { kind, own: now.own })
  }
}

/** The engine and the Worker that all tests share are children of vitest itself. */
function kindOf(pid: number, kindOfParent?: string): string {
  const command = commandOf(pid)
  const kind = kinds.find(([, inCommand]) => inCommand.test(command))?.[0] ?? (command.split(/[\0 ]/)[0] || 'rest')
  if (kind !== 'engine' && kind !== 'workerd') return kind
  return `${kindOfParent === 'vitest' ? 'the shared' : 'other'} ${kind}`
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function print(): void {
  const sums = new Map<string, number>()
  for (const { kind, own } of seen.values()) sums.set(kind, (sums.get(kind) ?? 0) + own)
  const all = () => [...sums.values()].reduce((sum, one) => sum + one, 0)
  // Some of Chromium's processes have no parent that waits for them.
  sums.set('unseen', Math.max(0, spentBy('self')!.below - all()))
  console.log('\nSeconds of the processor:')
  for (const [kind, sum] of [...sums].toSorted(([, one], [, other]) => other - one)) {
    console.log(`${sum.toFixed(1).padStart(8)}  ${kind}`)
  }
  console.log(`${all().toFixed(1).padStart(8)}  in all, ${(performance.now() / 1000).toFixed(0)} s by the clock`)
}

const looking = setInterval(look, lookEvery)
const tests = spawn('node_modules/.bin/vitest', ['run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, WEIR_PROFILE: '1' },
})
tests.on('close', (code) => {
  clearInterval(looking)
  print()
  process.exitCode = code ?? 1
})
