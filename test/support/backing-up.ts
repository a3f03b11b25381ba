import { close, connect, query } from '../../src/local/engine/connection.ts'

/**
 * A separate process, which `local/backup.test.ts` starts: runs statements on the data folder of a stopped engine, with
 * a configuration that allows backups. The engine of Weir itself does not allow writing files.
 */
const [directory, configuration, ...statements] = process.argv.slice(2)
const connection = await connect([`--path=${directory}`, `--config-file=${configuration}`])
for (const statement of statements) console.log((await query(connection, statement)).bytes.toString())
await close(connection)
process.exit(0)
