import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest files. Begun last, one of them would run alone at the end; how long files took last time is not known in a new checkout. */
const longest = [
  'test/local/start.test.ts',
  'test/against-oracle.test.ts',
  'test/local/check.test.ts',
  'test/local/check-online.test.ts',
  'test/sweep.test.ts',
  'test/distributed.test.ts',
]

const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((file) => moduleId.endsWith(file))

export class DearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
