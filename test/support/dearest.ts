import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { endpoints } from '../../src/endpoints/index.ts'

const reports = endpoints.filter(({ kind }) => kind === 'report')

/**
 * After a run of many files, prints the ten slowest files, and the ten slowest reports by the tests that name them.
 */
export default class Dearest implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 10) return
    const files = modules.map((module) => [relative('.', module.moduleId), durationOf(module)] as const)
    print('The ten dearest test files', files)
    print('The ten dearest reports, by the tests that name them', byReport(modules))
  }
}

function durationOf(module: TestModule): number {
  const { duration, collectDuration } = module.diagnostic()
  return duration + collectDuration
}

function byReport(modules: readonly TestModule[]): (readonly [string, number])[] {
  const tests = modules.flatMap(({ children }) => [...children.allTests()])
  return reports.map(({ name, path }) => {
    const shortPath = path.replace('/api/websites/:websiteId/', '')
    const own = tests.filter(({ fullName }) => partsOf(fullName).some((part) => part === name || part === shortPath))
    return [name, own.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0)]
  })
}

/** Splits a full title into its parts; the name of a report is a part of its own. */
const partsOf = (fullName: string): string[] => fullName.replaceAll("'", '').split(/ > |: |, /)

/** Prints wall-clock seconds; other files ran at the same time. */
function print(title: string, durations: readonly (readonly [string, number])[]): void {
  const dearest = durations.toSorted(([, one], [, other]) => other - one).slice(0, 10)
  const lines = dearest.map(([name, duration]) => `${(duration / 1000).toFixed(1).padStart(8)} s  ${name}`)
  console.log(`\n${title}:\n${lines.join('\n')}`)
}
