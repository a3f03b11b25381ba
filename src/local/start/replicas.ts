import { configuredReplicas } from '../../clickhouse/configuration.ts'
import { probe, replicas } from '../../clickhouse/replicas.ts'
import { Misuse } from '../told/misuse.ts'

/** Throws if the list of replicas is invalid. Commands and events still use a single server. */
export function refuseWrongReplicas(env: NodeJS.ProcessEnv): void {
  if (!env.CLICKHOUSE_REPLICAS) return
  if (!env.CLICKHOUSE_URL) {
    throw new Misuse('CLICKHOUSE_REPLICAS needs CLICKHOUSE_URL, too: the server that events and commands write to.')
  }
  try {
    configuredReplicas(env)
  } catch (error) {
    throw new Misuse((error as Error).message)
  }
}

/**
 * The Worker's variables for replicas and the server that receives events, which may have its credentials in its URL,
 * and the secrets that the list names. Empty without a list.
 */
export function replicaBindings(env: NodeJS.ProcessEnv): Record<string, string> {
  const { CLICKHOUSE_REPLICAS: list } = env
  if (!list) return {}
  const entries = JSON.parse(list) as Readonly<Partial<Record<'user' | 'password' | 'visitorPassword', string>>>[]
  const names = [
    ...['CLICKHOUSE_URL', 'CLICKHOUSE_USER', 'CLICKHOUSE_PASSWORD'],
    ...['CLICKHOUSE_VISITOR_USER', 'CLICKHOUSE_VISITOR_PASSWORD'],
    ...entries.flatMap(({ user, password, visitorPassword }) =>
      [user, password, visitorPassword].filter((name) => name !== undefined),
    ),
  ]
  return { CLICKHOUSE_REPLICAS: list, ...Object.fromEntries(names.map((name) => [name, env[name] ?? ''])) }
}

/** The maximum wait for a replica's answer, in milliseconds. */
const patience = 3000

/** One line for each replica in the list that cannot be read. */
export async function unreadableReplicas(env: NodeJS.ProcessEnv): Promise<string[]> {
  if (!env.CLICKHOUSE_REPLICAS) return []
  const { all } = replicas(configuredReplicas(env))
  const lineOf = ({ name, server }: (typeof all)[number], { message }: Error): string =>
    `The replica ${name} (${server.url}) cannot be read: ${message}\nLater requests try it again.`
  const lines = all.map((replica) =>
    probe(replica, patience).then(
      () => [],
      (error: Error) => [lineOf(replica, error)],
    ),
  )
  return (await Promise.all(lines)).flat()
}
