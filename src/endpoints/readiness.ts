/**
 * Whether a replica can be read, the tables that it lacks (with their remedy), and the moment up to which it has all
 * events.
 */
export interface ReplicaState {
  readonly name: string
  readonly state: 'ready' | 'failing'
  readonly missing?: string[]
  readonly asOf?: string
}

/**
 * Whether a log of collected events answers; how many rows wait for ClickHouse; when the oldest row arrived (ISO 8601);
 * and why the last insert failed.
 */
export interface LogBacklog {
  readonly name: string
  readonly state: 'ready' | 'failing'
  readonly waiting?: number
  readonly oldest?: string
  readonly failure?: string
}

/** The `/ready` answer for operators. */
export interface Readiness {
  readonly replicas: readonly ReplicaState[]
  readonly logs: readonly LogBacklog[]
}
