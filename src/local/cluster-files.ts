import { clusterStart, forCluster, usualNames } from './cluster.ts'
import { migrationsIn } from './migrations.ts'
import { root } from './paths.ts'

/** The files of `sql/cluster`, by name: those of `sql/events` in their form for a cluster, behind its databases. */
export function clusterFiles(): Map<string, string> {
  const files = forCluster(migrationsIn(`${root}/sql/events`), usualNames)
  return new Map(
    [{ name: '0000_databases.sql', statements: clusterStart(usualNames) }, ...files].map(({ name, statements }) => [
      name,
      `-- Made by npm run cluster: do not change it here.\n\n${statements.map((one) => `${one};\n`).join('\n')}`,
    ]),
  )
}
