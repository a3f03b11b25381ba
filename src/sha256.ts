/** SHA-256 in hexadecimal. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return digest.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
}
