import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Bug, bugs } from './bugs.ts'

/**
 * Plants each bug into a copy of this checkout, one at a time, and prints which rules find it. It fails if a bug is
 * not found, if a patch no longer applies, or if a rule fails without any bug.
 *
 * `npx tsx test/planted/run.ts [part of a bug's name]`
 */

const root = fileURLToPath(new URL('../../', import.meta.url))
const wanted = process.argv[2] ?? ''

/** Paths that are omitted from a copy. */
const notCopied = ['node_modules', '.git', '.weir', '.wrangler', 'dist']

function copyOf(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'weir-planted-'))
  cpSync(folder, copy, { recursive: true, filter: (path) => !notCopied.includes(basename(path)) })
  symlinkSync(join(folder, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** The file with the bug planted. Throws unless the text to replace occurs exactly once. */
function planted({ name, file, from, to }: Bug, text: string): string {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`“${name}” does not apply: ${file} has “${from}” ${parts.length - 1} times.`)
  return parts.join(to)
}

interface Found {
  readonly testResults: readonly {
    readonly name: string
    readonly message?: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** The seed determines which reports a rule covers, at least a seventh, so seven consecutive seeds cover them all. */
const seeds = [1, 2, 3, 4, 5, 6, 7]

/** The tests of these reports that fail in this folder, and how many were run. */
function failing(folder: string, names: readonly string[], seed: number): { failed: string[]; ran: number } {
  const output = join(folder, 'found.json')
  rmSync(output, { force: true })
  // A name may be a prefix of another name.
  const pattern = `(${names.join('|')})( |$|,)`
  const some = ['test/rules', 'test/query/rules.test.ts']
  const args = ['vitest', 'run', ...some, '-t', pattern, '--reporter=json', `--outputFile=${output}`]
  const { stderr } = spawnSync('npx', args, { cwd: folder, encoding: 'utf8', env: { ...process.env, SEED: `${seed}` } })
  const found = read(output, stderr)
  const of = (isWanted: (status: string) => boolean) =>
    found.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => isWanted(status))
        .map(({ fullName }) => `${relative(folder, name)}: ${fullName.trim()}`),
    )
  const ran = of((status) => status !== 'skipped' && status !== 'pending').length
  if (ran === 0) throw new Error(`No test ran: ${stderr}`)
  return { failed: of((status) => status === 'failed'), ran }
}

function read(path: string, complaint: string): Found {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Found
  } catch {
    throw new Error(`The tests did not run: ${complaint}`)
  }
}

function run(): boolean {
  const some = bugs.filter(({ name }) => name.includes(wanted))
  const copy = copyOf(root)
  let isGood = some.length > 0
  try {
    const before = failing(copy, [...new Set(some.map(({ report }) => report))], seeds[0]!)
    console.log(`Without a bug: ${before.ran} tests ran, ${before.failed.length} failed.`)
    isGood &&= before.failed.length === 0
    for (const bug of some) {
      const path = join(copy, bug.file)
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, planted(bug, text))
      let [failed, ran]: [string[], number] = [[], 0]
      for (const seed of seeds) {
        if (failed.length === 0) ({ failed, ran } = failing(copy, [bug.report], seed))
      }
      writeFileSync(path, text)
      console.log(
        `\n${bug.name} (${bug.file}): ${failed.length === 0 ? 'NOT FOUND' : 'found'} by ${failed.length} of ${ran} tests`,
      )
      for (const one of failed) console.log(`  ${one}`)
      isGood &&= failed.length > 0
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
  return isGood
}

process.exitCode = run() ? 0 : 1
