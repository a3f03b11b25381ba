/** The viewer's choices, which apply to all pages in this browser. Nothing is stored until the viewer chooses. */

const places = { theme: 'weir.theme', keys: 'weir.keys' } as const

/** The choice. Null if there is none, or if the browser forbids storage. */
export function choiceOf(name: keyof typeof places): string | null {
  try {
    return localStorage.getItem(places[name])
  } catch {
    return null
  }
}

/** Stores the choice; null deletes it. */
export function keepChoice(name: keyof typeof places, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(places[name])
    else localStorage.setItem(places[name], value)
  } catch {
    // Without storage, the choice applies only to this page.
  }
}
