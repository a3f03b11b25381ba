import type { Given } from './io.ts'

/** The command `damaged-log`. It prints one JSON object per line. */
export async function printDamagedLog({ words, io, dataDir }: Given<object>): Promise<void> {
  const { readLog } = await import('../start/logs.ts')
  const print = ({ table, json }: { table: string; json: string }) =>
    io.out(JSON.stringify({ table, row: JSON.parse(json) }))
  const isRead = await readLog(dataDir, words[0]!, print)
  if (!isRead) throw new Error(`SQLite cannot read ${words[0]}.`)
}
