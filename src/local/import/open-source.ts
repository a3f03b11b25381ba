import type { MaskLevel } from '../../collect/masking.ts'
import { Misuse } from '../told/misuse.ts'
import { openPostgres, type Postgres } from './postgres.ts'
import { postgresSource } from './postgres-source.ts'
import { number } from './progress.ts'
import type { Source } from './source.ts'

/** What a command line says of the source. */
interface Asked {
  readonly from: string
  readonly metadata: string | undefined
  /** None: all that are not deleted. */
  readonly websiteIds: readonly string[]
  readonly mostRows: number
  tell(line: string): void
}

/** The websites to import, and how the replays of each are masked. */
interface Websites {
  readonly ids: readonly string[]
  levelOf(websiteId: string): MaskLevel
}

interface Opened {
  readonly source: Source
  /** What has users, websites and the like; undefined if nothing does. The source closes it. */
  readonly metadata: Postgres | undefined
  readonly websites: Websites
}

/** Opens the source that a command line names. */
export async function openSource(asked: Asked, env: NodeJS.ProcessEnv): Promise<Opened> {
  const { source, metadata } = await opened(asked, env)
  try {
    return { source, metadata, websites: await websitesOf(source, asked) }
  } catch (error) {
    await source.close()
    throw error
  }
}

async function opened({ from, metadata, mostRows }: Asked, _env: NodeJS.ProcessEnv): Promise<Omit<Opened, 'websites'>> {
  if (/^postgres(ql)?:\/\//i.test(from)) {
    if (metadata !== undefined) throw new Misuse('--metadata belongs to a ClickHouse: PostgreSQL has all itself.')
    const postgres = await openPostgres(from)
    try {
      return { source: postgresSource(postgres, mostRows), metadata: postgres }
    } catch (error) {
      await postgres.close()
      throw error
    }
  }
  throw new Misuse('--from has to be postgres://…, http://… of a ClickHouse, or a .zip file.')
}

/** All that are not deleted, unless some are named. Says how many events have a website that the source has deleted. */
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
