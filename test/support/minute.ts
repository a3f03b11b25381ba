/**
 * Runs a check within one minute of the clock, because the limiter counts by minutes, and pages ask again in each. If
 * a new minute began during the check, the check runs again. Each run uses new accounts.
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
