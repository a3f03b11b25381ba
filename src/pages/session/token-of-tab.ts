/** The token lies in the storage of this tab alone: it outlives a reload, and ends with the tab. */
const place = 'weir.token'

/**
 * All tabs see this place. It holds no secret, but a word that changes whenever somebody signs out. So a tab can tell
 * whether that happened since its own sign-in, whatever page it showed meanwhile.
 */
const placeOfSignOut = 'weir.sign-out'

/** In place of the storage, where the browser lets no page use it. */
let held: string | null = null

function tried<Value>(use: () => Value, otherwise: () => Value): Value {
  try {
    return use()
  } catch {
    return otherwise()
  }
}

const lastSignOut = (): string =>
  tried(
    () => localStorage.getItem(placeOfSignOut) ?? '',
    () => '',
  )

export const tokenOfTab = {
  read: (): string | null =>
    tried(
      () => sessionStorage.getItem(place),
      () => held,
    ),
  keep(token: string): void {
    held = token
    tried(
      () => {
        sessionStorage.setItem(place, token)
        sessionStorage.setItem(placeOfSignOut, lastSignOut())
      },
      () => undefined,
    )
  },
  forget(): void {
    held = null
    tried(
      () => {
        sessionStorage.removeItem(place)
        sessionStorage.removeItem(placeOfSignOut)
      },
      () => undefined,
    )
  },
  /** Whether somebody signed out in another tab since this one got its token. */
  isOver: (): boolean =>
    tried(
      () => sessionStorage.getItem(place) !== null && (sessionStorage.getItem(placeOfSignOut) ?? '') !== lastSignOut(),
      () => false,
    ),
  /** Tells the other tabs that somebody signed out. */
  endOthers(): void {
    tried(
      () => localStorage.setItem(placeOfSignOut, `${Date.now()} ${Math.random()}`),
      () => undefined,
    )
  },
}
