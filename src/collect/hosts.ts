/** A hostname as browsers say it: in small ASCII letters, without a dot at its end. What is no host stays as it is. */
export function oneHost(hostname: string): string {
  const host = hostname.toLowerCase().replace(/\.(?=:\d+$|$)/, '')
  const isAscii = !/[^\0-\x7f]/.test(host)
  return isAscii || /[/?#@\\]/.test(host) ? host : (URL.parse(`https://${host}`)?.host ?? host)
}
