/** The seed of a file's random data. `SEED=…` repeats a run. */
export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 30))
