import { setFlagsFromString } from 'node:v8'

/** How much the heap may grow before garbage is collected, in percent of what is in use. */
const heapGrowth = 60

/** For commands that pass on many rows: V8 would let the heap grow by several times, which takes 100 MB more. */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${heapGrowth}`)
