import { close, connect, query } from '../../src/local/engine/connection.ts'

/**
 * A process of its own: runs statements on the data folder of an engine that does not run, with a configuration that
 * allows backups. The engine itself lets nobody write files.
 */
const [directory, configuration, ...statements] = process.argv.slice(2)
const connection = await connect([`--path=${directory}`, `--config-file=${configuration}`])
for (const statement of statements) console.log((await query(connection, statement)).bytes.toString())
await close(connection)
process.exit(0)
