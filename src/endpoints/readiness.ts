/**
 * Whether a replica can be read, the missing tables with their remedy, and the moment up to which it has all events.
 */
export interface ReplicaState {
  readonly name: string
  readonly state: 'ready' | 'failing'
  readonly missing?: string[]
  readonly asOf?: string
}

/** The rows of a collection log that wait for ClickHouse: how many, and when the oldest arrived (ISO 8601). */
export interface LogBacklog {
  readonly name: string
  readonly waiting: number
  readonly oldest?: string
}

/** The answer of `/ready` for operators. */
export interface Readiness {
  readonly replicas: readonly ReplicaState[]
  /** Logs that do not answer are left out. */
  readonly logs: readonly LogBacklog[]
}
