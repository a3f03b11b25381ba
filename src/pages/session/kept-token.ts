/** The token is in this origin's storage, so all tabs share one sign-in, which remains when they are closed. */
const place = 'weir.token'

/** Used instead of the storage if the browser forbids it. */
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
