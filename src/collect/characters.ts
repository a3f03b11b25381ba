/** Whether a text has more characters (code points) than this. */
export const isLonger = (text: string, longest: number): boolean =>
  text.length > longest && (text.length > 2 * longest || Array.from(text).length > longest)

/** How many characters (code points) a well-formed text has. */
export function charactersIn(text: string): number {
  let characters = text.length
  // The second half of a surrogate pair is not a separate character.
  for (let index = 0; index < text.length; index++) if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) characters--
  return characters
}

/** The first characters of a text. Never splits a surrogate pair. */
export function firstCharacters(text: string, longest: number): string {
  if (text.length <= longest) return text
  // A character has at most two code units.
  return Array.from(text.slice(0, 2 * longest))
    .slice(0, longest)
    .join('')
}

/** The length of a text in bytes of UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}
