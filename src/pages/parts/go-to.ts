/**
 * Goes to another page. The promise stays pending until the browser comes back to this page, so that a second click
 * does nothing.
 */
export function goTo(path: string): Promise<unknown> {
  location.assign(path)
  return new Promise((resolve) => addEventListener('pageshow', resolve, { once: true }))
}
