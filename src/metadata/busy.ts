/** What SQLite says where another process writes, or reads, the same file. D1 as a service never does. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_BUSY|database is locked/.test(error.message)

/** Does what failed because the database was busy once more, after longer and longer waits, for `patience` milliseconds. */
export async function whileBusy<Value>(patience: number, work: () => Promise<Value>): Promise<Value> {
  for (let waited = 0, wait = 20; ; waited += wait, wait *= 2) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || waited + wait > patience) throw error
    }
    await new Promise((waitedFor) => setTimeout(waitedFor, wait))
  }
}
