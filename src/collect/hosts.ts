/** A hostname as browsers write it: lower-case ASCII, without a trailing dot. Any other text is returned unchanged. */
export function oneHost(hostname: string): string {
  const host = hostname.toLowerCase().replace(/\.(?=:\d+$|$)/, '')
  const isAscii = !/[^\0-\x7f]/.test(host)
  return isAscii || /[/?#@\\]/.test(host) ? host : (URL.parse(`https://${host}`)?.host ?? host)
}
