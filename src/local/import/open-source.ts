import type { MaskLevel } from '../../collect/masking.ts'
import { fromHere } from '../paths.ts'
import { Misuse } from '../told/misuse.ts'
import { openClickHouse } from './clickhouse.ts'
import { clickHouseSource } from './clickhouse-source.ts'
import { exportSource } from './export-source.ts'
import { metadataIn } from './metadata.ts'
import { openPostgres, type Postgres } from './postgres.ts'
import { postgresSource } from './postgres-source.ts'
import { number } from './progress.ts'
import type { Source } from './source.ts'

/** The source as given on the command line. */
interface Asked {
  readonly from: string
  readonly metadata: string | undefined
  /** The wanted websites. If empty, all that are not deleted. */
  readonly websiteIds: readonly string[]
  readonly mostRows: number
  readonly env: NodeJS.ProcessEnv
  tell(line: string): void
}

/** The websites to import, and how the replays of each are masked. */
interface Websites {
  readonly ids: readonly string[]
  levelOf(websiteId: string): MaskLevel
}

interface OpenSource {
  readonly source: Source
  /** The database that contains users and websites; undefined if there is none. Closing the source closes it. */
  readonly people: Postgres | undefined
}

/** Opens the source that a command line specifies. */
export async function openSource(asked: Asked): Promise<OpenSource & { readonly websites: Websites }> {
  const { source, people } = await opened(asked)
  return closedOnError(source, async () => ({ source, people, websites: await websitesOf(source, asked) }))
}

async function opened({ from, metadata, websiteIds, mostRows, env, tell }: Asked): Promise<OpenSource> {
  if (isPostgres(from)) {
    if (metadata !== undefined) throw new Misuse('--metadata is only for a ClickHouse: PostgreSQL contains it already.')
    const postgres = await openPostgres(from)
    return closedOnError(postgres, () => ({ source: postgresSource(postgres, mostRows), people: postgres }))
  }
  if (/^https?:\/\//i.test(from)) {
    if (metadata !== undefined && !isPostgres(metadata)) throw new Misuse('--metadata must be postgres://….')
    const people = metadata === undefined ? undefined : await openPostgres(metadata)
    const reader = await closedOnError(people, () => openClickHouse(from))
    return closedOnError(reader, () =>
      closedOnError(people, async () => ({
        source: clickHouseSource(reader, people && metadataIn(people), mostRows),
        people,
      })),
    )
  }
  if (/\.zip$/i.test(from)) {
    if (metadata !== undefined) throw new Misuse('--metadata is only for a ClickHouse source.')
    return { source: await exportSource(fromHere(from, env), websiteIds, mostRows, tell), people: undefined }
  }
  throw new Misuse('--from must be postgres://…, http://… of a ClickHouse, or a .zip file.')
}

const isPostgres = (url: string): boolean => /^postgres(ql)?:\/\//i.test(url)

/** Closes an opened source if the next step fails. */
async function closedOnError<Value>(
  open: { close(): Promise<void> } | undefined,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    await open?.close()
    throw error
  }
}

/** The requested websites, or all that are not deleted. Reports how many events belong to deleted websites. */
async function websitesOf(source: Source, { websiteIds, tell }: Asked): Promise<Websites> {
  const known = await source.websites()
  const strict = new Set(known?.flatMap(({ id, maskLevel }) => (maskLevel === 'strict' ? [id] : [])))
  const levelOf = (id: string): MaskLevel => (strict.has(id) ? 'strict' : 'moderate')
  if (websiteIds.length > 0) return { ids: websiteIds, levelOf }
  const ofEvents = await source.idsOfEvents()
  if (!known) return { ids: ofEvents, levelOf }
  const ids = known.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id)
  const others = ofEvents.filter((id) => !ids.includes(id))
  if (others.length > 0) {
    const span = { from: 0, until: Date.UTC(2100) }
    const rows = await source.months({ kind: 'events', websiteIds: others, span })
    const events = rows.reduce((sum, count) => sum + count.rows, 0)
    tell(
      `${number(events)} events of ${number(others.length)} websites that Umami has deleted are left out. ` +
        `--website imports them: ${others.slice(0, 5).join(', ')}${others.length > 5 ? ' …' : ''}`,
    )
  }
  return { ids, levelOf }
}
