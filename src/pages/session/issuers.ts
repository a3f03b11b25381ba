/** Records that this tab was sent to an issuer, so that nobody else can make it sign in. */
const mark = 'weir.away'

/** Goes to the page of an issuer. */
export function leaveFor(page: string): void {
  sessionStorage.setItem(mark, '1')
  location.assign(page)
}

const reasons: Readonly<Record<string, string>> = {
  ended: 'This sign-in has ended. Please begin again.',
  'no-account': 'You have no account here. Ask an admin for one.',
  taken: 'This account already belongs to another user here.',
}

type Returned = { readonly code: string } | { readonly failed: string }

/**
 * The result of a sign-in at an issuer, from the URL. It is returned only once; undefined if this tab was not sent to
 * the issuer.
 */
export function returned(): Returned | undefined {
  const [, failed, value = ''] = /^#sign-in(-failed)?=([\w.-]+)$/.exec(location.hash) ?? []
  if (value === '') return undefined
  history.replaceState(null, '', location.pathname)
  if (sessionStorage.getItem(mark) === null) return undefined
  sessionStorage.removeItem(mark)
  return failed ? { failed: reasons[value] ?? 'The sign-in failed. Please try again.' } : { code: value }
}
