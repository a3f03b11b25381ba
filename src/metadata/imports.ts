import type { Store } from './store.ts'

/** An import's progress as reported by its command. */
export interface ImportProgress {
  readonly source: 'postgresql' | 'clickhouse' | 'export'
  readonly state: 'running' | 'following' | 'finished' | 'failed'
  /** Describes the data that is being read. */
  readonly section: string | null
  readonly rowsDone: number
  readonly rowsTotal: number
  /** Rows per second. */
  readonly rate: number
  readonly error: string | null
}

/** An import. Times are in milliseconds since 1970. */
export interface Import extends ImportProgress {
  readonly id: string
  readonly startedAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
}

/** How many imports are stored. */
const mostKept = 50

const lastTold = 'ORDER BY updated_at DESC, rowid DESC'

export const imports = (store: Store) => ({
  /** Lists all stored imports, newest first. */
  list: (): Promise<Import[]> =>
    store.all(
      `SELECT id, source, state, section, rows_done AS rowsDone, rows_total AS rowsTotal, rate, error,
         started_at AS startedAt, updated_at AS updatedAt, finished_at AS finishedAt
       FROM imports ${lastTold}`,
    ),

  /** Stores an import's progress. A new import may replace the oldest one. */
  async put(id: string, { source, state, section, rowsDone, rowsTotal, rate, error }: ImportProgress): Promise<void> {
    const isOver = state === 'finished' || state === 'failed'
    const stored = await store.note<{ startedAt: number }>(
      `INSERT INTO imports
         (id, source, state, section, rows_done, rows_total, rate, error, started_at, updated_at, finished_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10)
       ON CONFLICT (id) DO UPDATE SET source = ?2, state = ?3, section = ?4, rows_done = ?5, rows_total = ?6, rate = ?7,
         error = ?8, updated_at = ?9, finished_at = ?10
       RETURNING started_at AS startedAt`,
      ...[id, source, state, section, rowsDone, rowsTotal, rate, error, store.now, isOver ? store.now : null],
    )
    if (stored?.startedAt !== store.now) return
    await store.note(`DELETE FROM imports WHERE id IN (SELECT id FROM imports ${lastTold} LIMIT -1 OFFSET ${mostKept})`)
  },
})
