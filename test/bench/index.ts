import { mkdirSync, writeFileSync } from 'node:fs'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { explained } from '../../src/local/told/explained.ts'
import { beside } from './compare/beside.ts'
import { growth } from './compare/growth.ts'
import { type DataSet, dataSet, storageSection } from './data-set.ts'
import { eachReport } from './each-report.ts'
import { type Flags, flags, type Part } from './flags.ts'
import { imports } from './import/index.ts'
import { collect } from './load/collect.ts'
import { floods } from './load/floods.ts'
import { mixed } from './load/mixed.ts'
import { oneServer } from './load/server.ts'
import { shards } from './load/shards.ts'
import { load, machine } from './machine.ts'
import { planning } from './planning.ts'
import { type Section, written } from './print.ts'
import { tableCosts } from './tables.ts'

const progress = (line: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
}

/** The parts that query a data set. */
type Stored = Exclude<Part, 'collect' | 'mixed' | 'floods' | 'server' | 'import' | 'shards'>

/** The parts that start their own engine and Worker. */
const loads: Readonly<Record<Exclude<Part, Stored>, (given: Flags) => Promise<Section>>> = {
  collect: (given) => collect(`${given.dataDir}/collect`, given, progress),
  mixed: (given) => mixed(`${given.dataDir}/mixed`, given, progress),
  import: ({ dataDir, events }) => imports(`${dataDir}/import`, events, progress),
  server: ({ dataDir, seconds }) => oneServer(`${dataDir}/server`, seconds, progress),
  shards: ({ events }) => shards(events, progress),
  floods: ({ dataDir, seconds }) => floods(`${dataDir}/floods`, seconds, progress),
}

const isStored = (part: Part): part is Stored => !(part in loads)

async function measured(part: Stored, set: DataSet, given: Flags): Promise<Section> {
  const { wantsEndpoint, events, dataDir } = given
  if (part === 'tables') return tableCosts(set.layouts.weir, { sizes: set.stored.tables.weir, events }, progress)
  if (part === 'each-report') return eachReport(set, wantsEndpoint, progress)
  if (part === 'planning') return planning(set, wantsEndpoint, progress)
  if (part !== 'growth') return beside(part, set, wantsEndpoint, progress)
  const tenth = await dataSet(set.main, { events: Math.ceil(events / 10), suffix: '_tenth', dataDir }, progress)
  return growth({ large: set, tenth }, wantsEndpoint, progress).finally(tenth.close)
}

/** Runs the parts on the data set, which is created if it is missing. */
async function ofDataSet(parts: readonly Stored[], given: Flags): Promise<Section[]> {
  const { events, dataDir } = given
  const { server, close } = await startClickHouse(dataDir, 0)
  const set = await dataSet(server, { events, suffix: '', dataDir }, progress)
  const sections = [storageSection(set)]
  try {
    for (const part of parts) sections.push(await measured(part, set, given))
  } finally {
    await set.close()
    await close()
  }
  return sections
}

async function main(): Promise<void> {
  const given = flags()
  mkdirSync(given.dataDir, { recursive: true })
  const before = load()
  const stored = given.parts.filter(isStored)
  const sections = stored.length > 0 ? await ofDataSet(stored, given) : []
  for (const part of given.parts) if (!isStored(part)) sections.push(await loads[part](given))
  if (process.stderr.isTTY) progress('')
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ')
  const texts = sections.map((section) => written(section, given.isPage))
  console.log([`\`${command}\`, ${machine(before)}`, ...texts].join('\n\n'))
  if (given.json !== undefined) {
    const found = sections.map(({ heading, found }) => [heading, found])
    writeFileSync(given.json, `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`)
  }
}

main().catch((error: Error) => {
  console.error(`\n${explained(error)}`)
  process.exitCode = 1
})
