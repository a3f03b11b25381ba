import type { TOTP } from 'otpauth/bare'

/**
 * The parameters of second-factor codes (RFC 6238): SHA-1, six digits, 30 seconds. Every authenticator app supports
 * them.
 */
async function totpOf(secret: string | undefined, label = ''): Promise<TOTP> {
  // Imported here, because few isolates handle a code, and these imports would slow down the start of every isolate.
  const [{ TOTP, Secret }, { createHmac }] = await Promise.all([import('otpauth/bare'), import('node:crypto')])
  const key = secret === undefined ? new Secret({ size: 20 }) : Secret.fromBase32(secret)
  const hmac = (_: string, key: Uint8Array, message: Uint8Array) => createHmac('sha1', key).update(message).digest()
  return new TOTP({ issuer: 'Weir', label, secret: key, hmac })
}

/** The maximum length of a name in a QR code, in characters. A QR code holds 3 kB. */
const longestLabel = 64

interface NewSecret {
  /** In base32, so that users can type it. */
  readonly secret: string
  /** A QR code that contains the secret, the username and the code parameters, as a data URL. */
  readonly qrCodeDataUrl: string
}

/** Generates a new secret for an authenticator app. */
export async function newSecret(username: string): Promise<NewSecret> {
  const totp = await totpOf(undefined, [...username].slice(0, longestLabel).join(''))
  const { renderSVG } = await import('uqr')
  const image = renderSVG(totp.toString(), { pixelSize: 4 })
  return { secret: totp.secret.base32, qrCodeDataUrl: `data:image/svg+xml;base64,${btoa(image)}` }
}

/**
 * The number of the code's 30-second step, counted from 1970; undefined if the code is wrong. The app's clock may be
 * off by 30 seconds.
 */
export async function stepOf(code: string, secret: string, now: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined
  const totp = await totpOf(secret)
  const delta = totp.validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta
}

/** Excludes `l` and `o`, which look like digits. 32 characters, so each encodes five bits. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Generates ten codes of 50 random bits each, such as `k3v9m-x2p7q`. */
export const newBackupCodes = (): string[] =>
  Array.from({ length: 10 }, () => {
    const characters = [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => alphabet[byte % 32])
    return `${characters.slice(0, 5).join('')}-${characters.slice(5).join('')}`
  })

/** The code as typed, but in lower case and without spaces and hyphens. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toLowerCase()
