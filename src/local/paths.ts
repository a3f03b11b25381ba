import { fileURLToPath } from 'node:url'

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where everything local is kept unless `--data-dir` says otherwise. */
export const defaultDataDir = fileURLToPath(new URL('../../.weir', import.meta.url))

/** What stands where in a data folder. */
export const places = (dataDir: string) => ({
  clickhouse: `${dataDir}/clickhouse`,
  metadata: `${dataDir}/metadata`,
  /** Where commands reach the D1 of a running Worker. Readable by its owner only. */
  sharedMetadata: `${dataDir}/shared-metadata`,
  bundle: `${dataDir}/bundle`,
  /** What signs tokens. Readable by its owner only. */
  authSecret: `${dataDir}/auth-secret`,
  /** The admin key that `npm start` prints, so that a second start can print it again. Readable by its owner only. */
  adminKey: `${dataDir}/admin-key`,
  /** The password of the user `admin`, likewise. Readable by its owner only. */
  adminPassword: `${dataDir}/admin-password`,
  /** The demo website’s id, once all of its events are there. */
  demo: `${dataDir}/demo-website`,
})
