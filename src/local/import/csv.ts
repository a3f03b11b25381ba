/** The maximum number of characters in a field. */
const longestField = 10_000_000

/**
 * Reads CSV incrementally. Quoted fields may contain commas, line breaks and doubled quotes. `\N` without quotes is
 * NULL.
 */
export class CsvReader {
  readonly #take: (fields: readonly (string | null)[]) => void
  #fields: (string | null)[] = []
  #field = ''
  /** The parser's state, for example within quotes, or after a quote that may close the field. */
  #place: 'start' | 'plain' | 'quoted' | 'quote' = 'start'

  constructor(take: (fields: readonly (string | null)[]) => void) {
    this.#take = take
  }

  push(text: string): void {
    for (let at = 0; at < text.length; ) {
      at = this.#place === 'quoted' ? this.#inQuotes(text, at) : this.#outside(text, at)
      if (this.#field.length > longestField) throw new Error('A field of the CSV has more than 10 million characters.')
    }
  }

  end(): void {
    if (this.#place === 'quoted') throw new Error('The CSV ends within quotes: it is truncated.')
    if (this.#place !== 'start' || this.#fields.length > 0) this.#endRow()
  }

  #inQuotes(text: string, at: number): number {
    const end = text.indexOf('"', at)
    this.#field += text.slice(at, end < 0 ? text.length : end)
    if (end < 0) return text.length
    this.#place = 'quote'
    return end + 1
  }

  #outside(text: string, at: number): number {
    const character = text[at]!
    if (character === '"' && this.#place !== 'plain') {
      if (this.#place === 'quote') this.#field += '"'
      this.#place = 'quoted'
      return at + 1
    }
    if (character === ',') this.#endField()
    else if (character === '\n') this.#endRow()
    else return this.#plain(text, at)
    return at + 1
  }

  /** Reads unquoted text up to the end of its field. A carriage return may precede the line break. */
  #plain(text: string, at: number): number {
    let end = at
    while (end < text.length && text[end] !== ',' && text[end] !== '\n') end++
    this.#field += text.slice(at, end)
    this.#place = 'plain'
    return end
  }

  #endField(): void {
    this.#fields.push(this.#place === 'plain' && this.#field === '\\N' ? null : this.#field)
    ;[this.#field, this.#place] = ['', 'start']
  }

  #endRow(): void {
    this.#field = this.#field.replace(/\r$/, '')
    const isEmpty = this.#fields.length === 0 && this.#field === '' && this.#place !== 'quote'
    this.#endField()
    if (!isEmpty) this.#take(this.#fields)
    this.#fields = []
  }
}
