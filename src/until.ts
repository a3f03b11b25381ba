/**
 * How long a turn or a place stays reserved unless its request renews it, in milliseconds. When a caller disconnects,
 * the runtime may drop the request's work, including the code that ends the turn. Leases are therefore short, and a
 * request renews its lease while it runs.
 */
export const lease = 3000
export const renewal = 1000

/** The minimum and maximum time between two checks, in milliseconds. */
const shortestLook = 2
export const longestLook = 200

/**
 * Waits until `is` returns true, for at most this many milliseconds. `step` returns the time until the next check,
 * within the bounds above.
 *
 * This is the only way in which a request waits for another one, using its own timers. The platform drops a request's
 * promises together with the request. If one request settles another's promise, workerd sometimes continues in the
 * wrong request, in machine code optimised by V8; see `test/long/turns.test.ts`.
 */
export async function until(is: () => boolean, milliseconds: number, step = () => shortestLook): Promise<void> {
  const end = performance.now() + milliseconds
  for (let left = milliseconds; left > 0 && !is(); left = end - performance.now()) {
    const look = Math.min(longestLook, Math.max(shortestLook, step()))
    await new Promise((resolve) => setTimeout(resolve, Math.min(look, left)))
  }
}
