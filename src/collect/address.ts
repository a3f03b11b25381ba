import ipaddr from 'ipaddr.js'

/**
 * Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. The port is removed, because it changes with each
 * connection.
 */
export const withoutPort = (text: string): string => text.replace(/^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/, '$1$2')

/**
 * The canonical form of an address. An IPv4 address wrapped in IPv6 becomes plain IPv4. Any other text is returned
 * unchanged.
 */
export const oneAddress = (text: string): string =>
  text.includes(':') && text.length <= longestAddress && ipaddr.IPv6.isValid(text)
    ? ipaddr.process(text).toString()
    : text

/** A text longer than this is not an address. */
export const longestAddress = 255

/** Whether a text is an address in the usual notation. `127.1` is not. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
