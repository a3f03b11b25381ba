import { createRequire } from 'node:module'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** The load average over the last minute. */
export const load = (): number => Math.round(loadavg()[0]! * 10) / 10

/** The date and the machine of a benchmark, in one line. `before` is the load before it. */
export const machine = (before: number): string =>
  [
    new Date().toISOString().slice(0, 10),
    `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'})`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `load ${before} before`,
    `chdb ${versionOf('chdb', import.meta.url)}`,
    `workerd ${versionOf('workerd', createRequire(import.meta.url).resolve('miniflare'))}`,
    `Node ${process.version}`,
  ].join(', ')

/** `workerd` is a dependency of Miniflare, not of Weir itself. */
const versionOf = (name: string, from: string): string =>
  (createRequire(from)(`${name}/package.json`) as { version: string }).version
