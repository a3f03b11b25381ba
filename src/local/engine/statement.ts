import { readable, refusal } from './errors.ts'
import { type Token, tokens } from './tokens.ts'

/** Facts about a statement that are needed before it runs. Each character of the strings is one byte (latin1). */
export interface Statement {
  /** The text without its final semicolon. For an insert with rows, only the part before `FORMAT` or `VALUES`. */
  readonly sql: string
  /** The format in the statement. In an insert, it is the format of the rows that follow; otherwise, of the result. */
  readonly format?: string
  /** For an insert with rows, the offset of the rows in the text. */
  readonly rowsAt?: number
  /** Whether it is a SELECT, which may have a long result. */
  readonly isQuery: boolean
  /** Whether it has a formatted result. */
  readonly hasAnswer: boolean
  /** Whether the result contains more than rows (totals and extremes at the end, or brackets around an array). */
  readonly hasEnvelope: boolean
  readonly effect: Effect
}

/** What a statement may change: nothing, rows of tables, or anything (databases, functions, its session's state). */
export type Effect = 'none' | 'rows' | 'any'

/**
 * Parses one statement. An insert needs only its start, so `text` may be the head of a long body. Throws ClickHouse's
 * errors for several statements, and for a statement that writes to a file on the server.
 */
export function readStatement(text: string): Statement {
  const found: Token[] = []
  let isInsert = false
  for (const token of tokens(text)) {
    found.push(token)
    if (found.length === 1) isInsert = isWord(token, 'INSERT')
    const rows = isInsert ? rowsOf(text, found) : undefined
    if (rows !== undefined) return rows
  }
  return wholeStatement(text, found)
}

function wholeStatement(text: string, found: Token[]): Statement {
  if (found.every((token) => token.text === ';'))
    throw refusal('SYNTAX_ERROR', 'Syntax error: failed at position 1 (end of query): Empty query.')
  const end = found.findIndex((token) => token.text === ';')
  const own = end === -1 ? found : found.slice(0, end)
  const next = end === -1 ? undefined : found.slice(end).find((token) => token.text !== ';')
  if (next !== undefined) throw severalStatements(text, found[end]!)
  const format = resultFormat(own)
  const first = own.find((token) => token.text !== '(')?.text.toUpperCase() ?? ''
  const isInsert = own.some((token) => token.depth === 0 && isWord(token, 'INSERT'))
  refuseFiles(own, isInsert)
  const isQuery = queryWords.has(first) && !isInsert
  const sql = end === -1 ? text : text.slice(0, found[end]!.at)
  return {
    sql,
    ...(format === undefined ? {} : { format }),
    isQuery,
    hasAnswer: (queryWords.has(first) || answerWords.has(first)) && !isInsert,
    hasEnvelope: own.some((token) => token.isWord && envelopeWords.has(token.text.toUpperCase())),
    effect: effectOf(sql, isQuery, first === 'INSERT'),
  }
}

/**
 * What the statement may change. The engine would ignore semicolons in strings and comments, but pooling must not rely
 * on that.
 */
function effectOf(sql: string, isQuery: boolean, isInsert: boolean): Effect {
  if (sql.includes(';')) return 'any'
  if (isInsert) return 'rows'
  return isQuery ? 'none' : 'any'
}

const queryWords = new Set(['SELECT', 'WITH', 'FROM'])
const envelopeWords = new Set(['TOTALS', 'EXTREMES', 'OUTPUT_FORMAT_JSON_ARRAY_OF_ROWS'])
const answerWords = new Set(['SHOW', 'DESCRIBE', 'DESC', 'EXPLAIN', 'EXISTS', 'CHECK', 'KILL', 'EXECUTE'])

/** The statement as an insert with rows, if the tokens read up to now reach the start of the rows. */
function rowsOf(text: string, found: Token[]): Statement | undefined {
  const last = found.at(-1)!
  const before = found.at(-2)
  if (last.depth > 0 || before === undefined || found.some((token) => isQueryWord(token))) return undefined
  const afterTable = isWord(found[1]!, 'INTO') ? 3 : 2
  const isAfterFormat = found.length > afterTable + 1 && isWord(before, 'FORMAT') && last.isWord
  if (!isAfterFormat && found.length > afterTable && isWord(last, 'VALUES'))
    return insertOf(text, found, last.at, 'Values', last.end)
  if (!isAfterFormat) return undefined
  if (text[last.end] === ';') throw refusal('SYNTAX_ERROR', "You have excessive ';' symbol before data for INSERT.")
  return insertOf(text, found, before.at, last.text, rowsStart(text, last.end))
}

function insertOf(text: string, found: Token[], end: number, format: string, rowsAt: number): Statement {
  refuseFiles(found, true)
  const name = format.toUpperCase() === 'VALUES' ? 'Values' : format
  const sql = text.slice(0, end)
  const effect = effectOf(sql, false, true)
  return { sql, format: name, rowsAt, isQuery: false, hasAnswer: false, hasEnvelope: false, effect }
}

/** The offset of the rows, which follow the format's name, spaces and at most one line end (ParserInsertQuery.cpp). */
function rowsStart(text: string, end: number): number {
  const blanks = /[ \t\f\v]*\r?\n?/y
  blanks.lastIndex = end
  blanks.test(text)
  return blanks.lastIndex
}

function isQueryWord(token: Token): boolean {
  return token.depth === 0 && (isWord(token, 'SELECT') || isWord(token, 'WITH') || isWord(token, 'WATCH'))
}

/** The result format: `FORMAT name` at the end of the statement, or before its final `SETTINGS`. */
function resultFormat(own: Token[]): string | undefined {
  for (let at = own.length - 2; at > 0; at--) {
    const [word, name, after] = [own[at]!, own[at + 1]!, own[at + 2]]
    if (word.depth > 0 || !isWord(word, 'FORMAT') || !name.isWord) continue
    if (after === undefined || isWord(after, 'SETTINGS')) return name.text
  }
  return undefined
}

function refuseFiles(own: Token[], isInsert: boolean): void {
  for (const [at, token] of own.entries()) {
    const next = own[at + 1]
    if (next === undefined) continue
    if (isWord(token, 'INTO') && isWord(next, 'OUTFILE'))
      throw refusal('INTO_OUTFILE_NOT_ALLOWED', 'INTO OUTFILE is not allowed.')
    if (isInsert && isWord(token, 'FROM') && isWord(next, 'INFILE'))
      throw refusal('NOT_IMPLEMENTED', 'FROM INFILE is read by clickhouse-client; send the rows in the body.')
  }
  const hasInput = own.some((token, at) => isWord(token, 'input') && own[at + 1]?.text === '(')
  if (isInsert && hasInput)
    throw refusal('NOT_IMPLEMENTED', 'The table function input() is not available in this engine.')
}

function severalStatements(text: string, semicolon: Token): Error {
  const rest = readable(text.slice(semicolon.at, semicolon.at + 60))
  const reason = `Syntax error (Multi-statements are not allowed): failed at position ${semicolon.at + 1} (end of query): ${rest}.`
  return refusal('SYNTAX_ERROR', reason)
}

function isWord(token: Token, word: string): boolean {
  return token.isWord && token.text.toUpperCase() === word.toUpperCase()
}
