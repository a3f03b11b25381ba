import { createHmac } from 'node:crypto'

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** An authenticator app's code at this moment, according to RFC 6238. */
export function codeAt(secret: string, moment: number): string {
  const bits = [...secret].map((character) => base32.indexOf(character).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(moment / 30_000)))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest.at(-1)! & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Six-digit codes that the app does not show within a minute of this moment. */
export const wrongCodes = (secret: string, moment: number): string[] => {
  const right = [-60, -30, 0, 30, 60].map((seconds) => codeAt(secret, moment + seconds * 1000))
  return Array.from({ length: 50 }, (_, index) => String(index * 19_999).padStart(6, '0')).filter(
    (code) => !right.includes(code),
  )
}
