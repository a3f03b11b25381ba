import type { ClickHouse } from '../storage/clickhouse.ts'
import type { Front } from './front.ts'
import type { OpenPurger } from './purger.ts'
import type { SenderOf } from './senders.ts'

export interface Flags {
  readonly port: number
  readonly clickhousePort: number
  readonly dataDir: string
  /** The number of events in a new demo website; with 0, no website is created. */
  readonly demoEvents: number
  readonly json: boolean
  /** Whether every request is logged on stderr. Otherwise only failures are logged. */
  readonly logRequests: boolean
  /** For a production server, the address to listen on and how to find out who sent a request. */
  readonly serve?: { readonly host: string; readonly senderOf: SenderOf }
}

/** What the Worker is started with. */
export interface Setting extends Flags {
  readonly front: Front | undefined
  /** The Worker's own port. Behind a front, it differs from `port`. */
  readonly apiPort: number
  readonly clickhouse: ClickHouse
  /** Whether ClickHouse is the embedded one, and not on another server. */
  readonly isEmbedded: boolean
  readonly purger: OpenPurger['binding']
}
