/**
 * Parses a URL of any length. Parsing a long host takes more than linear time, so only its first 1,000 characters are
 * read. The parser ignores control characters and spaces before a URL, and line breaks and tabs within it.
 */
export const parsedUrl = (text: string, base?: string): URL | undefined =>
  URL.parse(
    text
      .replace(/[\t\n\r]/g, '')
      .replace(/^[\0- ]+/, '')
      .replace(authority, (_, before: string, given: string) => before + cutHost(given)),
    base,
  ) ?? undefined

/** A username and a password may precede the host. */
const cutHost = (given: string): string => given.slice(0, given.lastIndexOf('@') + 1 + longestHost)

const longestHost = 1000

/** Whatever the parser reads as username, password, host and port. Other schemes have no host that it converts. */
const authority = /^((?:(?:https?|wss?|ftp|file):[\\/]*|[\\/]{2,}))([^\\/?#]+)/i

/** A hostname as browsers write it: lower-case ASCII, without a trailing dot. Any other text is returned unchanged. */
export function oneHost(hostname: string): string {
  const host = hostname.toLowerCase().replace(/\.(?=:\d+$|$)/, '')
  const isAscii = !/[^\0-\x7f]/.test(host)
  return isAscii || /[/?#@\\]/.test(host) ? host : (URL.parse(`https://${host}`)?.host ?? host)
}
