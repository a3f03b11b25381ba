import type { Given } from './io.ts'

interface Row {
  readonly id: number
  readonly entry_table: string
  readonly row: string
  readonly reason: string
  readonly created_at: number
}

/** How many rows are read at once. A recording row has up to a million bytes. */
const rowsAtOnce = 20

/** The command `set-aside`. It prints a JSON object per line. */
export async function printSetAside({ flags, io, withMetadata }: Given<{ readonly delete?: true }>): Promise<void> {
  await withMetadata(async (database) => {
    let last = 0
    for (;;) {
      const page = `SELECT * FROM set_aside_rows WHERE id > ?1 ORDER BY id LIMIT ${rowsAtOnce}`
      const { results } = await database.prepare(page).bind(last).all<Row>()
      if (results.length === 0) break
      for (const { id, entry_table: table, row, reason, created_at } of results) {
        io.out(JSON.stringify({ time: new Date(created_at).toISOString(), table, row: JSON.parse(row), reason }))
        last = id
      }
    }
    if (!flags.delete) return
    await io.written()
    await database.prepare('DELETE FROM set_aside_rows WHERE id <= ?1').bind(last).run()
  })
}
