/**
 * Records the path from which this tab was sent to an issuer, so that it returns there, and nobody else can make it
 * sign in.
 */
const mark = 'weir.away'

const forget = () => sessionStorage.removeItem(mark)

/** Goes to the page of an issuer. */
export function leaveFor(page: string): void {
  sessionStorage.setItem(mark, location.pathname + location.search)
  // The user may press Back there.
  addEventListener('pageshow', forget, { once: true })
  location.assign(page)
}

/** The path from which this tab was sent to an issuer. It is returned only once; null if it was not. */
function takeMark(): string | null {
  try {
    const path = sessionStorage.getItem(mark)
    forget()
    return path
  } catch {
    return null
  }
}

const reasons: Readonly<Record<string, string>> = {
  ended: 'This sign-in has ended. Please begin again.',
  'no-account': 'You have no account here. Ask an admin for one.',
  taken: 'This account already belongs to another user here.',
}

type Returned = { readonly code: string; readonly path: string } | { readonly failed: string }

/**
 * The result of a sign-in at an issuer, from the URL, with the path from which this tab was sent there. It is returned
 * only once; undefined if this tab was not sent there, or has shown another page since.
 */
export function returned(): Returned | undefined {
  const path = takeMark()
  const [, failed, value = ''] = /^#sign-in(-failed)?=([\w.-]+)$/.exec(location.hash) ?? []
  if (value === '') return undefined
  history.replaceState(null, '', location.pathname)
  if (path === null) return undefined
  return failed ? { failed: reasons[value] ?? 'The sign-in failed. Please try again.' } : { code: value, path }
}
