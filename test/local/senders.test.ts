import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, it } from 'vitest'
import { sendersBy } from '../../src/local/start/senders.ts'
import { placesFile } from '../support/places-file.ts'

/** Tests how `weir serve` determines the sender of a request. `serve.test.ts` sends such requests. */
const folder = mkdtempSync(`${tmpdir()}/weir-senders-`)
afterAll(() => rmSync(folder, { recursive: true }))

const file = `${folder}/places.mmdb`
const oslo = { country: { iso_code: 'NO' }, subdivisions: [{ iso_code: '03' }], city: { names: { en: 'Ås' } } }
writeFileSync(file, placesFile({ '198.51.100.0/24': oslo, '2001:db8::/32': { country: { iso_code: 'FR' } } }))

const TRUSTED_PROXIES = '127.0.0.1, 10.0.0.0/8'

it.each([
  ['a stranger whose header names another', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['the visitor of a proxy', '127.0.0.1', '192.0.2.9', '192.0.2.9'],
  ['the visitor of a proxy with an IPv4-mapped address', '::ffff:127.0.0.1', '192.0.2.9', '192.0.2.9'],
  ['a visitor who put a false address first', '127.0.0.1', '198.51.100.7, 192.0.2.9', '192.0.2.9'],
  ['the visitor of two proxies, with a port', '127.0.0.1', '192.0.2.9:4711, 10.1.2.3', '192.0.2.9'],
  ['an IPv6 visitor in another spelling', '10.0.0.1', '[2001:DB8:0::1]:80', '2001:db8::1'],
  ['a proxy whose header is no address', '127.0.0.1', 'unknown', '127.0.0.1'],
  ['a proxy after a visitor without an address', '127.0.0.1', 'unknown, 10.1.2.3', '10.1.2.3'],
  ['a proxy itself', '127.0.0.1', undefined, '127.0.0.1'],
])('the sender is %s', (_, peer, forwarded, address) => {
  const senderOf = sendersBy({ TRUSTED_PROXIES })
  expect(senderOf(peer, { 'x-forwarded-for': forwarded })).toEqual({ address, place: {} })
  expect(sendersBy({})(peer, { 'x-forwarded-for': forwarded }).address).toBe(peer.replace('::ffff:', ''))
})

it('the sender’s address is read only from the header that CLIENT_IP_HEADER specifies', () => {
  const senderOf = sendersBy({ TRUSTED_PROXIES, CLIENT_IP_HEADER: 'X-Real-IP' })
  expect(senderOf('127.0.0.1', { 'x-forwarded-for': '192.0.2.8', 'x-real-ip': '192.0.2.9' }).address).toBe('192.0.2.9')
})

it('the sender’s location is the one that a trusted proxy sends, or else the one from the file', () => {
  const senderOf = sendersBy({ TRUSTED_PROXIES, PLACES_FILE: file })
  const named = { 'x-umami-client-country': 'se', 'x-umami-client-region': 'SE-AB', 'x-umami-client-city': 'MalmÃ¶' }
  expect(senderOf('10.0.0.1', named).place).toEqual({ country: 'SE', regionCode: 'AB', city: 'Malmö' })
  const inOslo = { country: 'NO', regionCode: '03', city: 'Ås' }
  expect(senderOf('198.51.100.7', named).place).toEqual(inOslo)
  expect(senderOf('127.0.0.1', { 'x-forwarded-for': '198.51.100.9' }).place).toEqual(inOslo)
  expect(senderOf('2001:db8::7', {}).place).toEqual({ country: 'FR' })
  for (const nowhere of ['198.51.101.7', '2001:db9::7', 'fe80::1%eth0', '']) {
    expect(senderOf(nowhere, {}).place).toEqual({})
  }
})

it('the locations of 10,000 addresses are cached; the least recently used address is evicted first', () => {
  const many = sendersBy({ PLACES_FILE: file })
  const first = many('198.51.100.7', {}).place
  const ask = (from: number, to: number) => {
    for (let one = from; one < to; one++) many(`10.0.${one >> 8}.${one & 255}`, {})
  }
  ask(0, 9999)
  expect(many('198.51.100.7', {}).place).toBe(first)
  ask(0, 9999)
  ask(9999, 10_000)
  expect(many('198.51.100.7', {}).place).not.toBe(first)
})

it('proxies that are not addresses are refused, and so is a file in another format', () => {
  for (const wrong of ['proxy.internal', '10.0.0.0/33', '10.0.0.0/8,,127.0.0.1']) {
    expect(() => sendersBy({ TRUSTED_PROXIES: wrong })).toThrow(
      /^TRUSTED_PROXIES: .*is neither an address nor a CIDR block\.$/,
    )
  }
  writeFileSync(`${folder}/places.csv`, '198.51.100.0,198.51.100.255,NO\n')
  expect(() => sendersBy({ PLACES_FILE: `${folder}/places.csv` })).toThrow(/^PLACES_FILE: .* is not a place database/)
})
