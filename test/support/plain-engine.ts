import { mkdirSync, writeFileSync } from 'node:fs'

/**
 * How ClickHouse reads large data faster: it compiles expressions, reads statistics about parts, works in several
 * threads, and reads files in further threads.
 */
const forMuchData = {
  ...{ compile_expressions: 0, compile_aggregate_expressions: 0, compile_sort_description: 0, use_statistics: 0 },
  ...{ max_threads: 1, local_filesystem_read_method: 'pread' },
}

/**
 * Disables the engine's optimisations for large data, which take more than a tenth of its processor time in tests.
 * Call it before the engine starts. Long runs and the tests of the engine itself keep the optimisations.
 */
export function planPlainly(engineDir: string): void {
  const directory = `${engineDir}/configuration/users.d`
  mkdirSync(directory, { recursive: true })
  const plain = Object.entries(forMuchData).map(([name, value]) => `<${name}>${value}</${name}>`)
  writeFileSync(
    `${directory}/plain.xml`,
    `<clickhouse><profiles><default>${plain.join('')}</default></profiles></clickhouse>`,
  )
}
