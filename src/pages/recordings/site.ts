/**
 * Lets a page load resources of the recorded website if the viewer wants that. The choice is in the address
 * (`?site=shown`), because the server sends its policy with the page.
 */

const name = 'site'

export const showsSite = (): boolean => new URLSearchParams(location.search).get(name) === 'shown'

/** The address of this page, with or without the website's resources. */
export function addressWith(shows: boolean): string {
  const url = new URL(location.href)
  if (shows) url.searchParams.set(name, 'shown')
  else url.searchParams.delete(name)
  return url.pathname + url.search
}

/** The sources of a website for a policy: its domain and subdomains. The owner sets the domain, never a visitor. */
export function sourcesOf(domain: string): string {
  const { hostname = '', host = '' } = URL.parse(`https://${domain}`) ?? {}
  if (hostname === 'localhost') return `http://${host}`
  return hostname.includes('.') && /^[\w.-]+$/.test(hostname) ? `https://${host} https://*.${hostname}` : ''
}
