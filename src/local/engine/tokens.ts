/** A token other than blanks and comments. Offsets are positions in the text passed to `tokens`. */
export interface Token {
  readonly text: string
  readonly at: number
  readonly end: number
  /** Whether it is a bare word: a keyword or an unquoted identifier. */
  readonly isWord: boolean
  /** The number of open brackets around it. */
  readonly depth: number
}

/**
 * Splits a statement into ClickHouse's tokens (src/Parsers/Lexer.cpp): strings, comments, words and brackets. Every
 * other character is a separate token. An unterminated string or comment is one token up to the end of the text; the
 * engine then reports the error.
 */
export function* tokens(text: string): Generator<Token> {
  let depth = 0
  let at = 0
  while (at < text.length) {
    const end = tokenEnd(text, at)
    const token = text.slice(at, end)
    if (closing.has(token)) depth--
    if (!isBlank(token))
      yield { text: token, at, end, isWord: /^[\w$]/.test(token) && !token.includes("'") && !isHeredoc(token), depth }
    if (opening.has(token)) depth++
    at = end
  }
}

const opening = new Set(['(', '[', '{'])
const closing = new Set([')', ']', '}'])

function isBlank(token: string): boolean {
  return /^(?:[ \t\n\r\f\v]|--|\/[/*]|#[ !])/.test(token) || isUnicodeBlank(token)
}

function isHeredoc(token: string): boolean {
  return token.length > 1 && token.startsWith('$') && token.endsWith('$')
}

function tokenEnd(text: string, at: number): number {
  const character = text[at]!
  if (character === "'" || character === '"' || character === '`') return quotedEnd(text, at, character)
  if (text.startsWith('/*', at)) return commentEnd(text, at)
  const heredoc = character === '$' ? heredocEnd(text, at) : undefined
  if (heredoc !== undefined) return heredoc
  for (const [open, close] of unicodeQuotes)
    if (text.startsWith(open, at)) return indexAfter(text, close, at + open.length)
  simple.lastIndex = at
  return simple.test(text) ? simple.lastIndex : at + 1
}

/** The engine's blanks beyond ASCII (src/Common/StringUtils.h, `skipWhitespacesUTF8`), as UTF-8 bytes. */
const isUnicodeBlank = (token: string): boolean => unicodeBlanks.has(token)

const unicodeBlanks = new Set(
  '\u0085\u00a0\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u200c\u200d\u2028\u2029\u202f\u205f\u2060\u3000\ufeff'
    .split('')
    .map((character) => Buffer.from(character).toString('latin1')),
)

/** Blanks, line comments, hexadecimal and binary strings (`x'…'`), words and numbers, characters beyond ASCII. */
const simple = /[ \t\n\r\f\v]+|[\xc0-\xff][\x80-\xbf]+|(?:--|\/\/|#[ !])[^\n]*|[xXbB]'[0-9a-fA-F]*'?|[\w$]+/y

/** The typographic quotes that the engine accepts, as UTF-8 bytes. */
const unicodeQuotes = [
  ['\xe2\x80\x98', '\xe2\x80\x99'],
  ['\xe2\x80\x9c', '\xe2\x80\x9d'],
] as const

/** The end of a quoted text. A backslash escapes the next character; a doubled quote does not end the text. */
export function quotedEnd(text: string, at: number, quote: string): number {
  for (let index = at + 1; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === quote && text[index + 1] === quote) index++
    else if (text[index] === quote) return index + 1
  }
  return text.length
}

/** Comments nest. */
function commentEnd(text: string, at: number): number {
  let level = 0
  for (let index = at; index < text.length - 1; index++) {
    const pair = text.slice(index, index + 2)
    if (pair === '/*') level++
    else if (pair === '*/') level--
    else continue
    index++
    if (level === 0) return index + 1
  }
  return text.length
}

const tagOf = /\$\w*\$/y

/** The end of a heredoc `$tag$ … $tag$`; undefined if it has none. */
function heredocEnd(text: string, at: number): number | undefined {
  tagOf.lastIndex = at
  const tag = tagOf.exec(text)?.[0]
  if (tag === undefined) return undefined
  const close = text.indexOf(tag, at + tag.length)
  return close === -1 ? undefined : close + tag.length
}

function indexAfter(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from)
  return index === -1 ? text.length : index + part.length
}
