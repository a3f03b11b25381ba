import { mkdirSync, writeFileSync } from 'node:fs'
import { explained } from '../../src/local/commands/explained.ts'
import type { ClickHouse } from '../../src/local/commands/io.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { collected } from './collect.ts'
import { type DataSet, dataSet } from './datasets.ts'
import { eachReport } from './each-report.ts'
import { type Flags, flags } from './flags.ts'
import { growthOf } from './growth.ts'
import { load, machine } from './machine.ts'
import { mixedOf } from './mixed.ts'
import { besideNaive } from './naive/beside.ts'
import { pagesOf } from './pages.ts'
import { engineIn } from './processes.ts'
import { recordingsOf } from './recordings.ts'
import { regionsOf } from './regions.ts'
import { type Findings, report } from './report/index.ts'
import { comparedBeside } from './reports/beside.ts'
import { rollupOf } from './rollup/fill.ts'
import { soakOf } from './soak.ts'
import { statisticsBeside } from './statistics/beside.ts'
import { statisticsGrowthOf } from './statistics/growth.ts'
import { tableCosts } from './tables.ts'
import { targets } from './targets.ts'
import { throughWorker } from './through.ts'

async function bench(given: Flags): Promise<Findings> {
  mkdirSync(given.dataDir, { recursive: true })
  const loadBefore = load()
  const clickhouse = await startClickHouse(given.dataDir, 0)
  const closers = [clickhouse.close]
  try {
    const { server } = clickhouse
    const large = await dataSet(server, { events: given.events, suffix: '', dataDir: given.dataDir }, progress)
    closers.unshift(large.close)
    const where = await machine(large.layouts.weir, loadBefore)
    const { filling, tables } = large
    const layouts = given.wants('naive') ? await besideNaive(large, given, progress) : undefined
    const sizes = { sizes: tables.weir, events: filling.events }
    const costs = given.wants('tables') ? await tableCosts(large.layouts.weir, sizes, progress) : undefined
    const beside = (['statistics', 'sessions', 'reports'] as const).some(given.wants)
      ? await comparedBesideBoth(large, given, closers)
      : undefined
    const each = given.wants('each-report') ? await eachReport(large, given, progress) : undefined
    const grownBy = given.wants('growth') ? await grown(clickhouse, large, given) : notGrown
    const regions = given.wants('regions')
      ? await regionsOf(`${given.dataDir}/regions`, given.answers, progress)
      : undefined
    const soak = given.wants('soak') ? await soakOf(`${given.dataDir}/soak`, given.minutes, progress) : undefined
    const collect = given.wants('collect') ? await collected(`${given.dataDir}/collect`, given, progress) : undefined
    const mixed = given.wants('mixed') ? await mixedOf(`${given.dataDir}/mixed`, given, progress) : undefined
    const pages = given.wants('pages') ? await pagesOf(`${given.dataDir}/pages`, given.runs, progress) : undefined
    const recordings = given.wants('recordings')
      ? await recordingsOf(`${given.dataDir}/recordings`, given.runs, progress)
      : undefined
    const through = await throughWorker(large, given, progress)
    const compared = beside ?? { statistics: undefined, sessions: undefined, reports: undefined }
    const measured = {
      layouts,
      costs,
      each,
      ...compared,
      ...grownBy,
      ...through,
      regions,
      soak,
      collect,
      mixed,
      pages,
      recordings,
    }
    const found = { filling, tables, ...measured }
    return { command: process.argv.slice(2).join(' '), machine: where, ...found, targets: targets(found) }
  } finally {
    for (const close of closers) await close()
  }
}

/** Compares with the naive layout and with the hourly rollup. */
async function comparedBesideBoth(
  large: DataSet,
  given: Flags,
  closers: (() => Promise<void>)[],
): Promise<Pick<Findings, 'statistics' | 'sessions' | 'reports'>> {
  const rollup = await rollupOf(large.server, progress)
  closers.unshift(() => rollup.close())
  const set = { ...large, rollup }
  return {
    statistics: given.wants('statistics') ? await statisticsBeside(set, given, progress) : undefined,
    sessions: given.wants('sessions') ? await comparedBeside('sessions', set, given, progress) : undefined,
    reports: given.wants('reports') ? await comparedBeside('reports', set, given, progress) : undefined,
  }
}

/** Compares with a second data set that has a tenth of the events. */
async function grown(
  { server }: ClickHouse,
  large: DataSet,
  { events, dataDir, wantsEndpoint }: Flags,
): Promise<Pick<Findings, 'growth' | 'statisticsGrowth'>> {
  const wanted = { events: Math.ceil(events / 10), suffix: '_tenth', dataDir }
  const tenth = await dataSet(server, wanted, progress)
  try {
    return {
      growth: await growthOf({ large, tenth }, engineIn(dataDir), wantsEndpoint, progress),
      statisticsGrowth: await statisticsGrowthOf({ large, tenth }, wantsEndpoint, progress),
    }
  } finally {
    await tenth.close()
  }
}

const notGrown = { growth: undefined, statisticsGrowth: undefined }

const progress = (line: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
}

async function main(): Promise<void> {
  const given = flags()
  const found = await bench(given)
  if (process.stderr.isTTY) progress('')
  console.log(report(found))
  if (given.json !== undefined) writeFileSync(given.json, `${JSON.stringify(found, null, 2)}\n`)
}

main().catch((error: Error) => {
  console.error(`\n${explained(error)}`)
  process.exitCode = 1
})
