/** Encodes characters below 256, each of which is a byte, as base64url without padding. */
export const toBase64Url = (bytes: string): string =>
  btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Decodes base64url to characters below 256. Throws for other texts. */
export const fromBase64Url = (text: string): string => atob(text.replaceAll('-', '+').replaceAll('_', '/'))
