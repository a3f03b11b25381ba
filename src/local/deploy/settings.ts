import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Misuse } from '../told/misuse.ts'

/**
 * The settings of a deployment: `NAME='value'` in a file of the operator's own, `.env`, which a shell can read, too.
 * What the environment has wins. The file holds passwords, so only its owner can read it.
 */
export interface Settings {
  /** The value; undefined if nobody has given one. An empty one is an answer, too. */
  get(name: string): string | undefined
  /** Adds a line to the file. */
  keep(name: string, value: string): void
  /** What the file says for the Worker itself: its variables and secrets, by their names. */
  readonly ofWorker: Readonly<Record<string, string>>
  readonly file: string
}

/** Names that mean something to `deploy` or to wrangler, not to the Worker. */
const notOfWorker = /^(WEIR_|CLOUDFLARE_|WRANGLER_|NODE_|CLICKHOUSE_(URL|USER|PASSWORD|DATABASE)$)/

/** `isDry`: what is kept is forgotten at the end. */
export function settingsIn(file: string, env: NodeJS.ProcessEnv, isDry = false): Settings {
  const known = new Map(Object.entries(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}))
  if (existsSync(file)) chmodSync(file, 0o600)
  return {
    file,
    get: (name) => env[name] ?? known.get(name),
    keep(name, value) {
      if (/['\n\r]/.test(value)) throw new Misuse(`${name}: Must have no quote and no line break.`)
      known.set(name, value)
      if (isDry) return
      // A file that an editor wrote may end within a line.
      const start = existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8')) ? '\n' : ''
      appendFileSync(file, `${start}${name}='${value}'\n`, { mode: 0o600 })
    },
    ofWorker: Object.fromEntries([...known].filter(([name]) => !notOfWorker.test(name)) as [string, string][]),
  }
}

/** Whether a setting of the Worker is stored as a secret, by its name. */
export const isSecret = (name: string): boolean => /PASSWORD|SECRET|TOKEN/.test(name)
