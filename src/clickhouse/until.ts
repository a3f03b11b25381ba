/** The time between two looks, in milliseconds. */
const usualStep = 2

/**
 * Waits until `is` returns true, at most this many milliseconds. A request needs its own timers: the platform drops a
 * promise of another request together with that request, and warns where that one ends later.
 */
export async function until(is: () => boolean, milliseconds: number, step = usualStep): Promise<void> {
  for (let waited = 0; waited < milliseconds && !is(); waited += step) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(step, milliseconds - waited)))
  }
}
