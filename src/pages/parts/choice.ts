/** What the viewer chose for all pages of this browser. Nothing is kept before a choice. */

const places = { theme: 'weir.theme', keys: 'weir.keys' } as const

/** The choice; null without one, and where the browser lets no page keep anything. */
export function choiceOf(name: keyof typeof places): string | null {
  try {
    return localStorage.getItem(places[name])
  } catch {
    return null
  }
}

/** Keeps the choice; null ends it. */
export function keepChoice(name: keyof typeof places, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(places[name])
    else localStorage.setItem(places[name], value)
  } catch {
    // The choice holds for this page alone.
  }
}
