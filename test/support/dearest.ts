import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { endpoints } from '../../src/endpoints/index.ts'

const reports = endpoints.filter(({ kind }) => kind === 'report')

/**
 * After a run of many files, prints the files that took the most processor time, and the ten slowest reports according
 * to the tests with their names. In a profile, it prints all files.
 */
export default class Dearest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const isProfile = process.env.WEIR_PROFILE !== undefined
    if (modules.length < 10 && !isProfile) return
    const many = isProfile ? modules.length : 10
    print('Processor time of the costliest test files, with the processes they started', modules.map(spentIn), many)
    print('The ten slowest reports, by the duration of tests with their names', byReport(modules), 10)
  }
}

/** The file, with its processor time in milliseconds. */
function spentIn(module: TestModule): readonly [string, number] {
  const { own, below } = module.meta().spent ?? { own: 0, below: 0 }
  const parts = below > 0 ? ` (${own.toFixed(1)} + ${below.toFixed(1)})` : ''
  return [relative('.', module.moduleId) + parts, 1000 * (own + below)]
}

function byReport(modules: readonly TestModule[]): (readonly [string, number])[] {
  const tests = modules.flatMap(({ children }) => [...children.allTests()])
  return reports.map(({ name, path }) => {
    const shortPath = path.replace('/api/websites/:websiteId/', '')
    const own = tests.filter(({ fullName }) => partsOf(fullName).some((part) => part === name || part === shortPath))
    return [name, own.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0)]
  })
}

/** Splits a full title into its parts, so that a report's name is a separate part. */
const partsOf = (fullName: string): string[] => fullName.replaceAll("'", '').split(/ > |: |, /)

function print(title: string, durations: readonly (readonly [string, number])[], many: number): void {
  const dearest = durations.toSorted(([, one], [, other]) => other - one).slice(0, many)
  const lines = dearest.map(([name, duration]) => `${(duration / 1000).toFixed(1).padStart(8)} s  ${name}`)
  console.log(`\n${title}:\n${lines.join('\n')}`)
}
