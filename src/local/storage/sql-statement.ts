import { type Token, tokens } from '../engine/tokens.ts'

/** A statement whose tokens can be replaced. All else, comments included, stays as it is. */
export class Statement {
  readonly own: readonly Token[]
  /** As bytes, of which offsets are positions. */
  readonly #text: string
  readonly #edits: { at: number; end: number; text: string }[] = []

  constructor(statement: string) {
    this.#text = Buffer.from(statement).toString('latin1')
    this.own = [...tokens(this.#text)]
  }

  isWord(at: number, word: string): boolean {
    const token = this.own[at]
    return token?.isWord === true && token.text.toUpperCase() === word.toUpperCase()
  }

  begins(words: string): boolean {
    return words.split(' ').every((word, at) => this.isWord(at, word))
  }

  find(is: (token: Token, at: number) => boolean): number {
    return this.own.findIndex(is)
  }

  /** A name without a database. */
  nameAt(at: number): string {
    const token = this.own[at]
    if (!token?.isWord || (['.', '('].includes(this.own[at + 1]?.text ?? '') && !this.isDefinition(at)))
      throw new Error(`${token?.text ?? 'Nothing'} is no plain name.`)
    return token.text
  }

  /** Whether the name is that of a new table, before its columns, or of a filled one, before its list of columns. */
  isDefinition(at: number): boolean {
    return this.own[at + 1]?.text === '(' && (this.isWord(at - 1, 'EXISTS') || this.isWord(at - 1, 'INTO'))
  }

  columns(): string[] {
    const opening = this.find(({ text, depth }) => text === '(' && depth === 0)
    return this.own.flatMap(({ depth, text }, at) => {
      const begins = at === opening + 1 || (this.own[at - 1]?.text === ',' && depth === 1)
      return begins && depth === 1 && at > opening ? [text] : []
    })
  }

  replace(first: number, text: string, last = first): void {
    this.#edit(this.own[first]!.at, this.own[last]!.end, text)
  }

  before(at: number, text: string): void {
    this.#edit(this.own[at]!.at, this.own[at]!.at, text)
  }

  after(at: number, text: string): void {
    this.#edit(this.own[at]!.end, this.own[at]!.end, text)
  }

  #edit(at: number, end: number, text: string): void {
    this.#edits.push({ at, end, text: Buffer.from(text).toString('latin1') })
  }

  toString(): string {
    let [text, from] = ['', 0]
    for (const edit of [...this.#edits].sort((one, other) => one.at - other.at || one.end - other.end)) {
      text += this.#text.slice(from, edit.at) + edit.text
      from = edit.end
    }
    return Buffer.from(text + this.#text.slice(from), 'latin1').toString()
  }
}

/**
 * Quotes a name where it needs it. The client's `{…:Identifier}` escapes it like a string, which ClickHouse does not
 * unescape.
 */
export const quoted = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``
