import { clusterStart, forCluster, usualNames } from './cluster.ts'
import { migrationsIn } from './migrations.ts'
import { root } from './paths.ts'

/**
 * The files of `sql/cluster`, by name: those of `sql/events` in their form for a cluster, behind its databases. Each
 * ends with its record in `migrations`, so that `migrate --cluster` can go on after files that were sent by hand.
 */
export function clusterFiles(): Map<string, string> {
  const files = forCluster(migrationsIn(`${root}/sql/events`), usualNames).map(({ name, checksum, statements }) => {
    const record = `INSERT INTO ${usualNames.front}.migrations (name, checksum) VALUES ('${name}', '${checksum}')`
    return { name, statements: [...statements, record] }
  })
  return new Map(
    [{ name: '0000_databases.sql', statements: clusterStart(usualNames) }, ...files].map(({ name, statements }) => [
      name,
      `-- Made by npm run cluster: do not change it here.\n\n${statements.map((one) => `${one};\n`).join('\n')}`,
    ]),
  )
}
