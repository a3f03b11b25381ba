import type { IngestRow } from './model.ts'
import { lowerCase } from './text.ts'

/** Whether the referrer is the host itself, or the host without its `www.`. An empty text is neither. */
export function isOwnHost({ hostname, referrer_domain }: IngestRow): boolean {
  if (hostname === '' || referrer_domain === '') return false
  return referrer_domain === hostname || referrer_domain === withoutWww(hostname)
}

/** The foreign referrer as stored, or empty if there is none. */
export function foreignReferrer(row: IngestRow): string {
  return isOwnHost(row) ? '' : row.referrer_domain
}

/** The foreign referrer in lower case, without a leading `www.`. */
export function referringDomain(row: IngestRow): string {
  return withoutWww(lowerCase(foreignReferrer(row)))
}

function withoutWww(host: string): string {
  return host.replace(/^www\./, '')
}

/**
 * Whether a domain matches an entry. `x.com` matches itself and its subdomains. A brand such as `x.` matches with any
 * ending that has one part, or two as in `co.uk`.
 */
export function isOf(domain: string, entry: string): boolean {
  if (!entry.endsWith('.')) return domain === entry || domain.endsWith(`.${entry}`)
  const brand = entry.replaceAll('.', '\\.')
  return new RegExp(`^(.*\\.)?${brand}([a-z]+|[a-z]{2,3}\\.[a-z]{2})$`, 's').test(domain)
}
