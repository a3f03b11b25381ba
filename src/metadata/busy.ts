/** Whether SQLite reported that another process is using the file. The D1 service never reports this. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_BUSY|database is locked/.test(error.message)

/**
 * Retries work that fails because the database is busy. Backs off between attempts and gives up after `patience`
 * milliseconds.
 */
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
