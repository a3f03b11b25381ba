import type { Given } from './io.ts'

interface Row {
  readonly id: number
  readonly entry_table: string
  readonly row: string
  readonly reason: string
  readonly created_at: number
}

/** The command `set-aside`. It prints a JSON object per line. */
export async function printSetAside({ flags, io, withMetadata }: Given<{ readonly delete?: true }>): Promise<void> {
  await withMetadata(async (database) => {
    const { results } = await database.prepare('SELECT * FROM set_aside_rows ORDER BY id').all<Row>()
    for (const { entry_table: table, row, reason, created_at } of results) {
      io.out(JSON.stringify({ time: new Date(created_at).toISOString(), table, row: JSON.parse(row), reason }))
    }
    const last = results.at(-1)
    if (flags.delete && last) await database.prepare('DELETE FROM set_aside_rows WHERE id <= ?1').bind(last.id).run()
  })
}
