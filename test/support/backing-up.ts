import { close, connect, query } from '../../src/local/engine/connection.ts'

/**
 * A separate process, started by `local/backup.test.ts`. It runs statements on a stopped engine's data folder, with
 * a configuration that allows backups. Weir's own engine does not allow files to be written.
 */
const [directory, configuration, ...statements] = process.argv.slice(2)
const connection = await connect([`--path=${directory}`, `--config-file=${configuration}`])
for (const statement of statements) console.log((await query(connection, statement)).bytes.toString())
await close(connection)
process.exit(0)
