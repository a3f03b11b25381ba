import { report } from './endpoint.ts'

/** A report that keeps something of each session, visit or sale: its statements may hold 2 GiB each. */
export const analysis: typeof report = (declared) => ({ ...report(declared), mostMemory: 2 * 1024 ** 3 })
