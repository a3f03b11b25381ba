import { isIP } from 'node:net'
import { detectOS, parseUserAgent } from 'detect-browser'
import ipaddr from 'ipaddr.js'
import { isbot } from 'isbot'
import UAParser from 'ua-parser-js'
import type { Env } from '../env.ts'
import { oneAddress, withoutPort } from './address.ts'
import type { Submission } from './payload.ts'
import type { Client } from './row.ts'

/** What the platform says about a request, in Cloudflare's `request.cf`. */
interface SenderCf {
  readonly country?: unknown
  readonly regionCode?: unknown
  readonly city?: unknown
  readonly verifiedBotCategory?: unknown
  readonly botManagement?: { readonly verifiedBot?: unknown } | null
}

/** A request's address and User-Agent, and where the request came from. */
export interface Sender {
  /** Empty if the platform does not provide it. */
  readonly address: string
  readonly userAgent: string
  readonly place: Pick<Client, 'country' | 'region' | 'city'>
  readonly isVerifiedBot: boolean
}

/** How much of an address or a User-Agent is taken into account, in characters. */
const longest = 1000

const nowhere = { country: '', region: '', city: '' } as const

/** The sender of a request. A proxy's headers are trusted only if the proxy is listed in `TRUSTED_PROXIES`. */
export function senderOf(request: Request, env: Env): Sender {
  const { headers, cf } = request as Request & { readonly cf?: SenderCf }
  const own = headers.get('cf-connecting-ip') ?? ''
  const header = env.CLIENT_IP_HEADER
  const isProxied = header !== undefined && header !== '' && isInBlocks(own, env.TRUSTED_PROXIES)
  const [forwarded = ''] = isProxied ? (headers.get(header) ?? '').slice(0, longest).split(',') : []
  const sent = (name: string): string =>
    utf8In(headers.get(`x-umami-client-${name}`) ?? '')
      .slice(0, 255)
      .toWellFormed()
  return {
    address: oneAddress(withoutPort(forwarded.trim()) || own),
    userAgent: (headers.get('user-agent') ?? '').slice(0, longest),
    place: isProxied ? placed(sent('country').toUpperCase(), sent('region'), sent('city')) : placeIn(cf),
    isVerifiedBot: !isProxied && (Boolean(cf?.verifiedBotCategory) || cf?.botManagement?.verifiedBot === true),
  }
}

/** Decodes text that a proxy wrote into a header as UTF-8. A header shows each of its bytes as a character. */
function utf8In(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(header, (byte) => byte.charCodeAt(0)))
  } catch {
    return header
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 255) : '')

function placeIn(cf: SenderCf | undefined): Sender['place'] {
  const [country, region] = [asText(cf?.country), asText(cf?.regionCode)]
  return placed(country, region && `${country}-${region}`, asText(cf?.city))
}

/** `XX` stands for an unknown country. `T1`, which is not a two-letter code, stands for Tor. */
const placed = (country: string, region: string, city: string): Sender['place'] =>
  /^[A-Z]{2}$/.test(country) && country !== 'XX' ? { country, region, city } : nowhere

/** The visitor behind a submission: the sender, or the visitor that the sender describes. */
export function whoSent({ payload }: Submission, sender: Sender) {
  const address = payload.ip ?? sender.address
  const userAgent = payload.userAgent ?? sender.userAgent
  const place = address === sender.address ? sender.place : nowhere
  const named = namesIn(userAgent)
  const client: Client = {
    browser: payload.browser ?? named.browser,
    os: payload.os ?? named.os,
    device: payload.device ?? named.device ?? deviceOf(payload.screen),
    country: payload.country?.toUpperCase() ?? place.country,
    region: payload.region ?? place.region,
    city: payload.city ?? place.city,
  }
  return { address, userAgent, client }
}

/** The maximum width of a laptop screen, in pixels. */
const widestLaptop = 1920

function deviceOf(screen: string | undefined): string {
  const width = Number.parseInt(screen ?? '', 10)
  return width <= widestLaptop ? 'laptop' : 'desktop'
}

interface NamedByAgent {
  readonly browser: string
  readonly os: string
  /** Undefined for a desktop, or if the User-Agent names no device. */
  readonly device: string | undefined
}

/**
 * Parsed User-Agents. They are cached, because most events have one of a few User-Agents, and parsing one takes as long
 * as the rest of the work for an event.
 */
const namesByAgent = new Map<string, NamedByAgent>()
const mostAgents = 500

function namesIn(userAgent: string): NamedByAgent {
  const found = namesByAgent.get(userAgent)
  if (found) return found
  const names = {
    browser: parseUserAgent(userAgent)?.name ?? '',
    os: detectOS(userAgent) ?? '',
    device: new UAParser(userAgent).getDevice().type,
  }
  if (namesByAgent.size >= mostAgents) namesByAgent.clear()
  namesByAgent.set(userAgent, names)
  return names
}

/** News apps that `isbot` mistakes for feed fetchers. */
const newsApp = /\b(?:smartnews|newsbreak|feedly|apple ?news)\b/i

/** Whether a news app on a phone or tablet shows the page. The rest of its User-Agent is then a browser's. */
const isNewsReader = (userAgent: string): boolean =>
  /^Mozilla\/.*Mobile/.test(userAgent) && newsApp.test(userAgent) && !isbot(userAgent.replace(newsApp, ''))

/** Proxies that fetch the images in an email for its reader. */
const mailProxy = /GoogleImageProxy|ggpht\.com|YahooMailProxy|\bOutlook/

const isRobot = (userAgent: string): boolean => userAgent === '' || (isbot(userAgent) && !isNewsReader(userAgent))

interface Visit {
  readonly payload: Pick<Submission['payload'], 'userAgent'>
  readonly source: Pick<Submission['source'], 'kind'>
}

/** Whether a bot sent this. Its User-Agent is then empty or listed, or the platform has verified that it is a bot. */
export function isBot({ payload, source }: Visit, sender: Sender): boolean {
  const userAgent = payload.userAgent ?? sender.userAgent
  if (source.kind === 'pixel' && mailProxy.test(userAgent)) return false
  return isRobot(userAgent) || (payload.userAgent === undefined && sender.isVerifiedBot)
}

/** Whether a bot sent this recording and bots are refused. */
export const isBotHere = (sender: Sender, { DISABLE_BOT_CHECK }: Env): boolean =>
  !isBotCheckOff(DISABLE_BOT_CHECK) && isBot({ payload: {}, source: { kind: 'website' } }, sender)

export const isBotCheckOff = (setting: string | undefined): boolean =>
  Boolean(setting) && setting !== '0' && setting !== 'false'

/** A block of addresses that begin with the same bits. */
type Block = readonly [address: Address, bits: number]
type Address = ipaddr.IPv4 | ipaddr.IPv6

const lists = new Map<string, readonly Block[]>()

/**
 * Whether an address is in a comma-separated list of addresses and CIDR blocks. Other entries match nothing. workerd's
 * `BlockList` throws on some addresses (`::ffff:c000:201`) and misses others (`::FFFF:192.0.2.1`).
 */
export function isInBlocks(address: string, list: string | undefined): boolean {
  const known = list ? addressOf(address) : undefined
  if (!list || !known) return false
  const blocks = lists.get(list) ?? blocksIn(list)
  lists.set(list, blocks)
  return blocks.some(([block, bits]) => block.kind() === known.kind() && known.match(block, bits))
}

/** Parses an address. IPv6 that wraps IPv4, such as `::ffff:192.0.2.1`, becomes IPv4. Undefined for any other text. */
const addressOf = (text: string): Address | undefined =>
  isIP(text) !== 0 && ipaddr.isValid(text) ? ipaddr.process(text) : undefined

/** The number of bits that precede an IPv4 address wrapped in IPv6. */
const wrapping = 96

function blocksIn(list: string): Block[] {
  return list.split(',').flatMap((entry) => {
    const [text = '', bits = isIP(text) === 6 ? '128' : '32'] = entry.trim().split('/')
    const address = addressOf(text)
    if (!address || !/^\d{1,3}$/.test(bits)) return []
    const isWrapped = isIP(text) === 6 && address.kind() === 'ipv4'
    const own = Number(bits) - (isWrapped ? wrapping : 0)
    return own >= 0 && own <= 8 * address.toByteArray().length ? [[address, own] as const] : []
  })
}
