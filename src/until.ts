/** The usual time between two looks, in milliseconds. */
const usualStep = 2

/**
 * Waits until `is` returns true, at most this many milliseconds; `step` says how long until the next look. What another
 * request does is only ever waited for like this: the platform drops a promise of another request together with it, and
 * now and then goes on in the wrong request, or not at all, where one request settles a promise of another.
 */
export async function until(is: () => boolean, milliseconds: number, step = () => usualStep): Promise<void> {
  const end = performance.now() + milliseconds
  for (let left = milliseconds; left > 0 && !is(); left = end - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(step(), left)))
  }
}
