import { type Connection, query } from './connection.ts'
import { refusal } from './errors.ts'
import type { Request } from './request.ts'
import { quotedEnd, type Token, tokens } from './tokens.ts'

/**
 * Restricts statements to the tables of the engine. ClickHouse's rights do most of this (`configuration.ts`). This file
 * closes the gaps in chdb: functions that read files, and engines and table functions that accept a path, a command or
 * an address.
 */

/** The names that this engine refuses, in lower case. */
export interface Outside {
  readonly tableFunctions: ReadonlySet<string>
  readonly engines: ReadonlySet<string>
  /** Whether statements may control the engine itself. This requires that the configuration grants SYSTEM MERGES. */
  readonly rules: boolean
}

/**
 * Table functions that read only tables of the engine, or no data at all. All others are refused, including those of
 * later versions. `mergeTreeIndex` and similar ones are omitted on purpose, because they accept a table's name as a
 * string.
 */
const innerTableFunctions = [
  'generate_series',
  'generateRandom',
  'generateSeries',
  'input',
  'merge',
  'null',
  'numbers',
  'numbers_mt',
  'primes',
  'SQLStandardValues',
  'values',
  'view',
  'viewExplain',
  'viewIfPermitted',
  'zeros',
  'zeros_mt',
]

const innerCalls = new Set(innerTableFunctions.map((name) => name.toLowerCase()))

/**
 * Table and database engines that read nothing outside. Engines that read another table (Alias, Buffer, Merge) are
 * omitted on purpose, because in the database `default` a table's name may be a file path.
 */
const innerEngines = [
  'AggregatingMergeTree',
  'Atomic',
  'CoalescingMergeTree',
  'CollapsingMergeTree',
  'GenerateRandom',
  'GraphiteMergeTree',
  'Join',
  'Log',
  'MaterializedView',
  'Memory',
  'MergeTree',
  'Null',
  'Ordinary',
  'ReplacingMergeTree',
  'Set',
  'StripeLog',
  'SummingMergeTree',
  'TinyLog',
  'VersionedCollapsingMergeTree',
  'View',
]

/** Tables on other servers, allowed only if the configuration grants REMOTE, as in the cluster tests. */
const remoteTables = [
  'remote',
  'Distributed',
  'ReplicatedAggregatingMergeTree',
  'ReplicatedMergeTree',
  'ReplicatedReplacingMergeTree',
  'ReplicatedSummingMergeTree',
]

export async function loadOutside(connection: Connection): Promise<Outside> {
  const lines = async (sql: string) => (await query(connection, sql)).bytes.toString().trim().split('\n')
  const isGranted = async (right: string) => (await lines(`CHECK GRANT ${right} ON *.*`))[0] === '1'
  const remote = (await isGranted('REMOTE')) ? remoteTables : []
  const others = (names: readonly string[], inner: readonly string[]) => {
    const known = new Set([...inner, ...remote])
    return new Set(names.filter((name) => !known.has(name)).map((name) => name.toLowerCase()))
  }
  const engines = 'SELECT name FROM system.table_engines UNION ALL SELECT name FROM system.database_engines'
  return {
    tableFunctions: others(await lines('SELECT name FROM system.table_functions'), innerTableFunctions),
    engines: others(await lines(engines), innerEngines),
    rules: await isGranted('SYSTEM MERGES'),
  }
}

/** Throws ACCESS_DENIED if a request's statement refers to anything outside the engine. */
export function refuseOutside(sql: string, { parameters, settings }: Request, outside: Outside): void {
  const own = [...tokens(sql)]
  if (!outside.rules) refuseRule(own)
  refuseIn(own, parameters, outside)
  refuseInTexts([...tokens(settings.get(filterSetting) ?? '')], parameters, outside)
}

/** `SYSTEM STOP MERGES` and similar statements require no right if they do not specify a table. */
function refuseRule(own: Token[]): void {
  const begins = (at: number) => at === 0 || (isKeyword(own[at - 1]!, 'WITH') && isKeyword(own[at - 2]!, 'PARALLEL'))
  if (own.some((token, at) => isKeyword(token, 'SYSTEM') && begins(at))) throw denied('SYSTEM is not available')
}

function refuseIn(own: Token[], parameters: ReadonlyMap<string, string>, outside: Outside): void {
  const makesView = makingWords.has(own[0]?.text.toUpperCase() ?? '') && own.some((token) => isKeyword(token, 'VIEW'))
  for (const [at, token] of own.entries()) {
    if (token.text === '{') refuseIdentifier(own.slice(at + 1, at + 4), parameters, makesView)
    const name = nameOf(token)
    if (name === undefined) continue
    if (readers.has(name) && own[at - 1]?.text !== '.') throw denied(`The name ${name} is not available`)
    if (isPath(name)) throw denied('A name with a slash is not available')
    if (own[at + 1]?.text === '(') refuseCall(name.toLowerCase(), own.slice(at + 2, at + 4), parameters, outside)
    if (isKeyword(token, 'AS')) refuseTableOf(own.slice(at + 1, at + 3))
    if (isKeyword(token, 'ENGINE')) refuseEngine(own.slice(at + 1, at + 3), outside)
    if (name !== filterSetting) continue
    if (!own[at + 3]?.text.startsWith("'")) throw denied(`The setting ${filterSetting} accepts only texts`)
    refuseInTexts(own, parameters, outside)
  }
}

/** The only setting with SQL in strings: `{'table': 'condition', …}`. `npm run weir -- check` needs it. */
const filterSetting = 'additional_table_filters'

function refuseInTexts(own: Token[], parameters: ReadonlyMap<string, string>, outside: Outside): void {
  for (const { text } of own) {
    if (/^(?:[xXbB]'|\$\w*\$|\xe2\x80\x98)/.test(text))
      throw denied(`With ${filterSetting}, a text must be written as '…'`)
    if (text.startsWith("'")) refuseIn([...tokens(unescaped(text))], parameters, outside)
  }
}

/** A string literal's content. Control characters become spaces, because the engine treats them as blanks or errors. */
function unescaped(text: string): string {
  return text.slice(1, -1).replace(/\\x([0-9a-f]{2})|\\([\s\S])|''/gi, (_, code?: string, character?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    if (character === undefined) return "'"
    if (character === 'N') return ''
    return 'abefnrtv0'.includes(character) ? ' ' : character
  })
}

/**
 * Ordinary functions that read files, accept a table's name as a string, or evaluate SQL in a string. Even their names
 * alone are refused, because `arrayMap(file, …)` also calls one.
 */
const readers = new Set([
  'file',
  'catboostEvaluate',
  'hasColumnInTable',
  'joinGet',
  'joinGetOrNull',
  'structureToCapnProtoSchema',
  'structureToProtobufSchema',
])

/** Table functions whose first argument lists columns in a string, such as `'a UInt8, b String ALIAS toString(a)'`. */
const structured = new Set(['generaterandom', 'null', 'sqlstandardvalues', 'values'])

/**
 * In the database `default`, a file path is also a table name. Views and `EXISTS` read such a table without any right
 * to files.
 */
const isPath = (name: string): boolean => name.includes('/')

const makingWords = new Set(['CREATE', 'REPLACE', 'ATTACH', 'ALTER'])

function refuseCall(
  name: string,
  [first, second]: Token[],
  parameters: ReadonlyMap<string, string>,
  outside: Outside,
): void {
  if (name === 'disk') throw denied('A disk cannot be described by a statement')
  const text = first?.text.startsWith("'") && /^[,)]$/.test(second?.text ?? '') ? first.text : undefined
  if (structured.has(name) && first?.text !== ')') {
    // A list of columns may contain expressions. An argument that is not a plain string could become any list.
    if (text === undefined || text.includes('{'))
      throw denied(`${name} without a list of columns as a text is not available`)
    refuseIn([...tokens(unescaped(text))], parameters, outside)
  }
  if (!outside.tableFunctions.has(name)) return
  if (name === 'format' && text?.includes('{')) return
  throw denied(`The table function ${name} is not available`)
}

/** `CREATE TABLE … AS merge(…)` would create a table that later reads whatever tables its strings refer to. */
function refuseTableOf([called, bracket]: Token[]): void {
  const name = bracket?.text === '(' && called && nameOf(called)
  if (name && innerCalls.has(name.toLowerCase())) throw denied(`A table from the function ${name} is not available`)
}

/** Refuses a forbidden engine after `ENGINE`, where the equals sign is optional. */
function refuseEngine([first, second]: Token[], { engines }: Outside): void {
  const named = first?.text === '=' ? second : first
  const name = named && nameOf(named)
  if (name !== undefined && engines.has(name.toLowerCase())) throw denied(`The engine ${name} is not available`)
}

/** `{name:Identifier}` may become a function's name. In a view, its value is unknown until the view is read. */
function refuseIdentifier([name, colon, type]: Token[], parameters: ReadonlyMap<string, string>, makesView: boolean) {
  if (colon?.text !== ':' || !/^identifier$/i.test(type?.text ?? '')) return
  if (makesView) throw denied('A view cannot have a parameter that is an identifier')
  const value = parameters.get(name?.text ?? '')
  if (value !== undefined && (readers.has(value) || isPath(value))) throw denied(`The name ${value} is not available`)
}

/** Matches anything in rows that could begin a subquery, name a table, or call a function that reads one. */
const hidden = new RegExp(
  [
    ...readers,
    'identifier',
    '\\b(?:select|from|with|values|explain|describe|table)\\b',
    '\\b(?:global|not|null)*in(?:IgnoreSet)?\\b',
  ].join('|'),
  'i',
)

/**
 * Whether the engine may evaluate expressions in rows of the format Values. The checks above do not see the rows. So
 * this returns false if the rows contain anything that could read a table, call a function by name, or disguise a call.
 * The engine then accepts only literals.
 */
export function mayHoldExpressions(rows: string): boolean {
  let at = 0
  let rest = ''
  for (let open = rows.indexOf("'"); open !== -1; open = rows.indexOf("'", at)) {
    rest += rows.slice(at, open)
    at = quotedEnd(rows, open, "'")
  }
  rest += rows.slice(at)
  return !/["`$\\#\x80-\xff]|--|\/[/*]/.test(rest) && !hidden.test(rest)
}

const quotes = ['"', '`', '\xe2\x80\x9c']

/** The name in a token, without its quotes. Anything that could be an escape is decoded. */
function nameOf({ text, isWord }: Token): string | undefined {
  if (isWord) return text
  const quote = quotes.find((one) => text.startsWith(one))
  if (quote === undefined) return undefined
  return text
    .slice(quote.length, -quote.length)
    .replace(/\\x([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\N|\\/g, '')
}

const isKeyword = (token: Token, word: string): boolean => token.isWord && token.text.toUpperCase() === word

const denied = (reason: string) => refusal('ACCESS_DENIED', `${reason} in this engine, which keeps to its own tables.`)
