import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Runs the longest test files first, so that none of them runs alone at the end. The list is fixed, because a new
 * checkout has no timings.
 */
const longest = [
  ...['test/local/start.test.ts', 'test/local/deploy.test.ts', 'test/check.test.ts', 'test/local/moved.test.ts'],
  ...['test/rules/chains.test.ts', 'test/local/seal.test.ts', 'test/rules/agrees.test.ts'],
  ...['test/collect/crashes.test.ts', 'test/local/check.test.ts', 'test/local/check-online.test.ts'],
  ...['test/local/purge.test.ts', 'test/permissions/permissions.test.ts', 'test/local/serve.test.ts'],
  ...['test/rules/sweep.test.ts', 'test/rules/distributed.test.ts'],
  // These files mostly wait for deadlines of several seconds.
  ...['test/serve/openings.test.ts', 'test/serve/regions.test.ts', 'test/collect/recordings-kept.test.ts'],
  'test/local/metadata-faults.test.ts',
]

export class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = (file: TestSpecification): number => longest.findIndex((name) => file.moduleId.endsWith(name))
    const first = sorted.filter((file) => placeOf(file) !== -1).sort((one, other) => placeOf(one) - placeOf(other))
    return [...first, ...sorted.filter((file) => placeOf(file) === -1)]
  }
}
