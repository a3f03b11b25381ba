/**
 * If the viewer allows it, lets a page load resources of the recorded website. The choice is in the URL
 * (`?site=shown`), because the server sends its policy together with the page.
 */

const name = 'site'

export const showsSite = (): boolean => new URLSearchParams(location.search).get(name) === 'shown'

/** The URL of this page, with or without the website's resources. */
export function addressWith(shows: boolean): string {
  const url = new URL(location.href)
  if (shows) url.searchParams.set(name, 'shown')
  else url.searchParams.delete(name)
  return url.pathname + url.search
}

/** The sources in a policy for a website: its domain and its subdomains. The owner sets the domain; visitors cannot. */
export function sourcesOf(domain: string): string {
  const { hostname = '', host = '' } = URL.parse(`https://${domain}`) ?? {}
  if (hostname === 'localhost') return `http://${host}`
  return hostname.includes('.') && /^[\w.-]+$/.test(hostname) ? `https://${host} https://*.${hostname}` : ''
}
