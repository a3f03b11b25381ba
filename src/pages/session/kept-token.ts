/** The token is in this origin's storage, so all tabs share one sign-in, which remains when they are closed. */
const place = 'weir.token'

/** Used instead of the storage if the browser cannot store the token. */
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
    held ??
    tried(
      () => localStorage.getItem(place),
      () => null,
    ),
  keep(token: string): void {
    held = tried(
      () => {
        localStorage.setItem(place, token)
        return null
      },
      () => token,
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
