import { beforeEach } from 'vitest'

/** The seed of a file's random data. `SEED=…` repeats a run. A failed test prints it. */
export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 30))

beforeEach(({ onTestFailed, task }) => {
  onTestFailed(() => console.error(`SEED=${seed} npx vitest run ${task.file.name}`))
})
