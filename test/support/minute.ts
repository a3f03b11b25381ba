/**
 * The limiter counts within minutes of the clock. A check that a new minute came in between of runs again; each run asks
 * on accounts of its own.
 */
export async function withinAMinute(check: () => Promise<void>): Promise<void> {
  const minute = () => Math.floor(Date.now() / 60_000)
  for (;;) {
    const before = minute()
    try {
      return await check()
    } catch (error) {
      if (minute() === before) throw error
    }
  }
}
