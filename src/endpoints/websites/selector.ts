/**
 * Whether a text can be one item of a list of CSS selectors: it closes its quotes and brackets, and cannot end the
 * list. The recorder joins it with other selectors, which it must not affect. Reads the text once.
 */
export function isSelector(text: string): boolean {
  const open: string[] = []
  let quote = ''
  let isPartEmpty = true
  for (let place = 0; place < text.length; place++) {
    const char = text[place]!
    if (char === '\\') {
      if (++place >= text.length || isLineEnd(text[place]!)) return false
      isPartEmpty = false
    } else if (quote !== '') {
      if (isLineEnd(char)) return false
      if (char === quote) quote = ''
    } else if (char === ',' && open.length === 0) {
      if (isPartEmpty) return false
      isPartEmpty = true
    } else {
      if (char === '"' || char === "'") quote = char
      const closing = pairs.get(char)
      if (closing !== undefined) open.push(closing)
      if ((char === ')' || char === ']') && open.pop() !== char) return false
      // A selector cannot contain blocks, comments or rules.
      if (/[{};@!/<\0]/.test(char)) return false
      if (char.trim() !== '') isPartEmpty = false
    }
  }
  return quote === '' && open.length === 0 && !isPartEmpty
}

const pairs: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
])

const isLineEnd = (char: string): boolean => char === '\n' || char === '\r' || char === '\f'
