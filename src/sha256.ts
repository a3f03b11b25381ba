const digestBy =
  (algorithm: 'SHA-256' | 'SHA-512') =>
  async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const digest = new Uint8Array(await crypto.subtle.digest(algorithm, bytes))
    return digest.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
  }

/** The SHA-256 hash in hexadecimal. */
export const sha256 = digestBy('SHA-256')

/** The SHA-512 hash in hexadecimal. */
export const sha512 = digestBy('SHA-512')
