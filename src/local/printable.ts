/** A text from a caller as a terminal may have it: what would move its cursor, colour it or turn it round is spelled out. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
