import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the repository, or of the installed package. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The folder of the operator's own files. It is the repository or, for an installed package, the folder where the
 * command was run.
 */
export const home = root.includes('/node_modules/') ? process.cwd() : root

/** The default of `--data-dir`. */
export const defaultDataDir = resolve(home, '.weir')

/** A file of another package, which is installed in Weir or beside it. */
export const fileOfPackage = (path: string): string =>
  [`${root}/node_modules/${path}`, `${root}/../${path}`].find((one) => existsSync(one)) ?? path

/** The wrangler program, which newer versions of wrangler do not export. */
export const wranglerBinary = fileOfPackage('wrangler/bin/wrangler.js')

/**
 * Makes a path absolute. npm runs scripts in the repository, but relative paths start in the caller's folder,
 * `INIT_CWD`.
 */
export const fromHere = (path: string, env: NodeJS.ProcessEnv): string => resolve(env.INIT_CWD ?? '.', path)

/** The paths in a data folder. */
export const places = (dataDir: string) => ({
  clickhouse: `${dataDir}/clickhouse`,
  metadata: `${dataDir}/metadata`,
  /** Collected events that ClickHouse does not have yet. */
  log: `${dataDir}/log`,
  /** Damaged files of the log, and notes about their content. */
  damagedLogs: `${dataDir}/damaged-logs`,
  /** How commands reach the D1 of a running Worker. Only its owner can read it. */
  sharedMetadata: `${dataDir}/shared-metadata`,
  /** The process that has D1 open. */
  metadataLock: `${dataDir}/metadata-lock`,
  bundle: `${dataDir}/bundle`,
  /** The secret that signs tokens. Only its owner can read it. */
  authSecret: `${dataDir}/auth-secret`,
  /** The secret for `/metrics`. Only its owner can read it. */
  metricsToken: `${dataDir}/metrics-token`,
  /** The admin key that `npm start` prints; it stays the same after a restart. Only its owner can read the file. */
  adminKey: `${dataDir}/admin-key`,
  /** The password of the user `admin`, printed at each start. Only its owner can read the file. */
  adminPassword: `${dataDir}/admin-password`,
  /** The demo website’s id, once all its events are stored. Until then, it is in the second file. */
  demo: `${dataDir}/demo-website`,
  demoFilling: `${dataDir}/demo-filling`,
  /** The slug of the demo website’s share, written once the share exists. */
  demoShare: `${dataDir}/demo-share`,
  /** The version that last ran here: docs/one-server.md. */
  version: `${dataDir}/version`,
  /** When `weir upgrade` finished copying everything here from another folder, in milliseconds since 1970. */
  broughtOver: `${dataDir}/brought-over`,
  /** The command that is still filling this folder. */
  beingFilled: `${dataDir}/being-filled`,
  /** The progress of imports, and their refused rows. */
  imports: `${dataDir}/imports`,
})
