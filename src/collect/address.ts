import ipaddr from 'ipaddr.js'

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`: the port changes with each connection. */
export const withoutPort = (text: string): string => text.replace(/^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/, '$1$2')

/** Whether a text is an address as people write them: `127.1` is none. */
export const isAddress = (text: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
