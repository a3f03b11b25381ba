/** Whether a replica can be read; the tables that it lacks, with the cure; the moment up to which it has all events. */
export interface ReplicaState {
  readonly name: string
  readonly state: 'ready' | 'failing'
  readonly missing?: string[]
  readonly asOf?: string
}

/** What waits for ClickHouse in a log of collection: the number of rows, and when the oldest arrived (ISO 8601). */
export interface LogBacklog {
  readonly name: string
  readonly waiting: number
  readonly oldest?: string
}

/** What operators learn from `/ready`. */
export interface Readiness {
  readonly replicas: readonly ReplicaState[]
  /** Logs that do not answer are left out. */
  readonly logs: readonly LogBacklog[]
}
