import { report } from './endpoint.ts'

/** A report that holds something of each session, visit or sale in memory. Each of its statements may hold 2 GiB. */
export const analysis: typeof report = (declared) => ({ ...report(declared), mostMemory: 2 * 1024 ** 3 })
