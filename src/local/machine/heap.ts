import { setFlagsFromString } from 'node:v8'

/** How much the heap may grow before the next garbage collection, in percent of the used memory. */
const heapGrowth = 100

/**
 * Keeps the heap small in commands that stream many rows. Otherwise, V8 would let the heap grow to several times this
 * size, and use 100 MB more.
 */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${heapGrowth}`)
