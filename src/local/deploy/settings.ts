import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Misuse } from '../told/misuse.ts'

/**
 * The settings of a deployment: `NAME='value'` in the operator's own file `.env`, which a shell can also read.
 * Environment variables override it. The file contains passwords, so only its owner can read it.
 */
export interface Settings {
  /** The value; undefined if none was given. An empty value counts as given. */
  get(name: string): string | undefined
  /** Adds a line to the file. */
  keep(name: string, value: string): void
  /** The variables and secrets in the file that are for the Worker itself, by name. */
  readonly ofWorker: Readonly<Record<string, string>>
  readonly file: string
}

/** Names of settings for `deploy` or wrangler, not for the Worker. */
const notOfWorker = /^(WEIR_|CLOUDFLARE_|WRANGLER_|NODE_|CLICKHOUSE_(URL|USER|PASSWORD|DATABASE)$)/

/** If `isDry`, `keep` does not write to the file. */
export function settingsIn(file: string, env: NodeJS.ProcessEnv, isDry = false): Settings {
  const known = new Map(Object.entries(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}))
  if (existsSync(file)) chmodSync(file, 0o600)
  return {
    file,
    get: (name) => env[name] ?? known.get(name),
    keep(name, value) {
      if (/['\n\r]/.test(value)) throw new Misuse(`${name}: Must not contain a single quote or a line break.`)
      known.set(name, value)
      if (isDry) return
      // The file may lack a newline at its end.
      const start = existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8')) ? '\n' : ''
      appendFileSync(file, `${start}${name}='${value}'\n`, { mode: 0o600 })
    },
    ofWorker: Object.fromEntries([...known].filter(([name]) => !notOfWorker.test(name)) as [string, string][]),
  }
}

/** Lists that refer to secrets by name. */
const lists = ['CLICKHOUSE_REPLICAS', 'OIDC_ISSUERS']

/** Whether a Worker setting is a secret: its name says so, a list refers to it, or its URL has a password. */
export const isSecret = (name: string, ofWorker: Settings['ofWorker']): boolean =>
  /PASSWORD|SECRET|TOKEN|_KEY$/.test(name) ||
  lists.some((list) => ofWorker[list]?.includes(JSON.stringify(name))) ||
  /:\/\/[^/\s"]*:[^/\s"]*@/.test(ofWorker[name] ?? '')
