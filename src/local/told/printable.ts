/**
 * Makes a string from a caller safe to print on a terminal. Escapes characters that move the cursor, set colours or
 * change the text direction.
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
