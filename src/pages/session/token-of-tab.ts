/** The token lies in the storage of this tab alone: it outlives a reload, and ends with the tab. */
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

export const tokenOfTab = {
  read: (): string | null =>
    tried(
      () => sessionStorage.getItem(place),
      () => held,
    ),
  keep(token: string): void {
    held = token
    tried(
      () => sessionStorage.setItem(place, token),
      () => undefined,
    )
  },
  forget(): void {
    held = null
    tried(
      () => sessionStorage.removeItem(place),
      () => undefined,
    )
  },
}
