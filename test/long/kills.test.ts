import { readFileSync, rmSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { engineFile } from '../../src/local/engine/process.ts'
import { places } from '../../src/local/paths.ts'
import { until } from '../collect/world.ts'
import { emptyDirectory } from '../local/engine.ts'
import { family } from '../support/process.ts'
import { type Recorded, recordedCopies, recordVisits } from './recording-sender.ts'
import { allOf, expectOnce, nothingTold, type Started, sendAgain, sendOn, startOn } from './sending.ts'

/** There are ten rounds of four kills each. Each kill ends workerd, the engine, or both. Rounds share a data folder. */
const turns = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

/** `npm start` gives up on a process that exits five times in a row. */
const kills = 4

/** Enables recordings for a website. */
async function recordAll({ url, websiteId, apiKey }: Started): Promise<void> {
  const replayConfig = { replayEnabled: true, heatmapEnabled: true, maxDuration: 3_600_000 }
  const answer = await fetch(`${url}/api/websites/${websiteId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ replayConfig }),
  })
  expect(answer.status).toBe(200)
}

const folder = emptyDirectory()

/** The ids of `npm start`'s processes that run workerd or the engine. */
function victims(start: number, kind: 'workerd' | 'engine'): number[] {
  if (kind === 'engine') {
    const { pid } = JSON.parse(readFileSync(engineFile(places(folder).clickhouse), 'utf8')) as { pid: number }
    return [pid]
  }
  return family(start).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'workerd')
}

const told = nothingTold()
const recorded: Recorded[] = []

/** Kills workerd, the engine or both, and waits until events are acknowledged again. */
async function killOnce({ script, clickhouse }: Started, number: number): Promise<void> {
  const { acknowledged } = told
  const had = acknowledged.length
  await until(async () => acknowledged.length > had + 100 || undefined)
  const kinds = ([['workerd'], ['engine'], ['workerd', 'engine']] as const)[number % 3]!
  // The engine of the previous round may still be starting.
  await until(async () => (await fetch(`${clickhouse}&query=SELECT+1`).catch(() => undefined))?.ok || undefined)
  const pids = kinds.flatMap((kind) => victims(script.child.pid!, kind))
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  const since = acknowledged.length
  await until(async () => acknowledged.length > since + 100 || undefined)
}

it.each(turns)('kill -9 of workerd, the engine or both loses and duplicates nothing: turn %i', async (turn) => {
  // In the second half, the website has four log objects.
  const weir = await startOn(folder, { COLLECT_SPREAD: turn > turns.length / 2 ? '4' : '1' })
  await recordAll(weir)
  let isOver = false
  const recorders = Array.from({ length: 4 }, () => recordVisits(weir.url, weir.websiteId, () => isOver))
  told.unheard.length = 0
  const sending = Array.from({ length: 8 }, () => sendOn(weir, () => isOver, told))
  for (let kill = 0; kill < kills; kill++) await killOnce(weir, turn + kill)
  isOver = true
  await Promise.all([...sending, ...recorders.map(({ end }) => end)])
  recorded.push(...recorders.flatMap(({ taken }) => taken))
  await sendAgain(weir, told)
  await expectOnce(weir, told)
  const kept = await allOf(recorded, () => recordedCopies(weir.client))
  expect(recorded.filter(({ id }) => kept.get(id) !== 1)).toEqual([])
  console.log(`${told.acknowledged.length} events and ${recorded.length} recordings, all once`)
  await weir.stop()
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})
