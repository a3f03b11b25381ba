/** The token lies in the storage of this origin: all tabs have one sign-in, which outlives them. */
const place = 'weir.token'

/** In place of the storage, where the browser lets no page use it. */
let held: string | null = null

function tried<Value>(use: () => Value, otherwise: () => Value): Value {
  try {
    return use()
  } catch {
    return otherwise()
  }
}

export const keptToken = {
  read: (): string | null =>
    tried(
      () => localStorage.getItem(place),
      () => held,
    ),
  keep(token: string): void {
    held = token
    tried(
      () => localStorage.setItem(place, token),
      () => undefined,
    )
  },
  forget(): void {
    held = null
    tried(
      () => localStorage.removeItem(place),
      () => undefined,
    )
  },
}
