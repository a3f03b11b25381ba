import { root } from '../paths.ts'
import { type ClusterNames, clusterStart, forCluster } from './cluster.ts'
import { migrationsIn } from './migrations.ts'
import { quoted } from './sql-statement.ts'

/**
 * The statements that `migrate --cluster` sends, as SQL: those of `sql/events` in their form for a cluster, behind its
 * databases. Each file ends with its record in `migrations`, so that the command can continue after statements that
 * were sent by hand.
 */
export function clusterScript(names: ClusterNames): string {
  const files = forCluster(migrationsIn(`${root}/sql/events`), names).map(({ name, checksum, statements }) => {
    const record = `INSERT INTO ${quoted(names.front)}.migrations (name, checksum) VALUES ('${name}', '${checksum}')`
    return { name, statements: [...statements, record] }
  })
  return [{ name: 'The databases', statements: clusterStart(names) }, ...files]
    .map(({ name, statements }) => `-- ${name}\n\n${statements.map((one) => `${one};\n`).join('\n')}`)
    .join('\n')
}
