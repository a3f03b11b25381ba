/** Compares strings by their UTF-8 bytes, as the engine does. UTF-16 order differs above U+FFFF. */
export function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left, 'utf8'), Buffer.from(right, 'utf8'))
}

export function containsIgnoringCase(text: string, part: string): boolean {
  return lowerCase(text).includes(lowerCase(part))
}

/** Converts each code point separately, so that neighbours have no influence. */
export function lowerCase(text: string): string {
  return [...text].map((character) => character.toLowerCase()).join('')
}

/** Splits `a,b\,c` into `a` and `b,c`. Any other backslash is literal. */
export function splitList(list: string): string[] {
  return list.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ','))
}

/** Compares ids, ignoring case. */
export function sameId(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

/** Compares in the engine's order of UUIDs: by the second 8 bytes, then by the first 8, both unsigned. */
export function compareIds(left: string, right: string): number {
  return compareText(idOrder(left), idOrder(right))
}

function idOrder(id: string): string {
  const hex = id.replaceAll('-', '').toLowerCase()
  return hex.slice(16) + hex.slice(0, 16)
}

/** The words of a text. */
export const words = (text: string): string[] => text.trim().split(/\s+/)
