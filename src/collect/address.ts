import ipaddr from 'ipaddr.js'

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`: the port changes with each connection. */
export const withoutPort = (text: string): string => text.replace(/^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/, '$1$2')

/** An address in one spelling: of IPv4 where IPv6 only wraps it. What is no address of IPv6 stays as it is. */
export const oneAddress = (text: string): string =>
  text.includes(':') && text.length <= longestAddress && ipaddr.IPv6.isValid(text)
    ? ipaddr.process(text).toString()
    : text

/** Longer texts are no addresses. */
export const longestAddress = 255

/** Whether a text is an address as people write them: `127.1` is none. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
