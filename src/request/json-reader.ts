const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const [zero, nine, minus, plus, point] = [0x30, 0x39, 0x2d, 0x2b, 0x2e]

/** Throws the error for malformed JSON. */
const refuse = (): never => {
  throw new SyntaxError('This is not JSON.')
}

/**
 * Reads JSON in a single pass, value by value. It returns numbers as written, whereas `JSON.parse` would lose digits of
 * long numbers. Skipped values use no memory. Every call throws a `SyntaxError` for malformed JSON. Callers recurse for
 * each level of nesting, so the depth must be limited.
 */
export class JsonReader {
  readonly #json: string
  #place = 0

  constructor(json: string) {
    this.#json = json
  }

  /** The type of the next value. */
  next(): 'object' | 'array' | 'text' | 'number' | 'word' {
    const code = this.#pastSpaces()
    if (code === openObject) return 'object'
    if (code === openArray) return 'array'
    if (code === quote) return 'text'
    return code === minus || isDigit(code) ? 'number' : 'word'
  }

  /** Reads an object. `member` reads or skips the value of each key. */
  object(member: (key: string) => void): void {
    this.#list(openObject, closeObject, () => {
      const key = this.text()
      this.#pastMark(colon)
      member(key)
      return true
    })
  }

  /**
   * Reads an array. `element` reads or skips each of its values. Stops after the first one for which it returns false.
   */
  array(element: () => boolean): void {
    this.#list(openArray, closeArray, element)
  }

  text(): string {
    this.#pastSpaces()
    const start = this.#place
    const isEscaped = this.#pastText()
    return isEscaped
      ? (JSON.parse(this.#json.slice(start, this.#place)) as string)
      : this.#json.slice(start + 1, this.#place - 1)
  }

  /** A number as it was written. */
  number(): string {
    this.#pastSpaces()
    const start = this.#place
    this.#pastNumber()
    return this.#json.slice(start, this.#place)
  }

  /** `true`, `false` or `null`. */
  word(): boolean | null {
    const code = this.#pastSpaces()
    const [name, value] = code === 0x74 ? words[0] : code === 0x66 ? words[1] : words[2]
    if (!this.#json.startsWith(name, this.#place)) refuse()
    this.#place += name.length
    return value
  }

  /** Skips a value of any kind. */
  skip(): void {
    /** The closing brackets of open arrays and objects. */
    const open: number[] = []
    do {
      const code = this.#pastSpaces()
      if (code === openArray || code === openObject) {
        open.push(code + 2)
        this.#place++
        if (this.#pastSpaces() !== code + 2) {
          if (code === openObject) this.#pastKey()
          continue
        }
      } else this.#pastScalar(code)
      while (open.length > 0) {
        const mark = this.#pastSpaces()
        const close = open.at(-1)
        this.#place++
        if (mark === comma) {
          if (close === closeObject) this.#pastKey()
          break
        }
        if (mark !== close) refuse()
        open.pop()
      }
    } while (open.length > 0)
  }

  /** The JSON text of the value that `read` reads. */
  spanOf(read: () => void): string {
    this.#pastSpaces()
    const start = this.#place
    read()
    return this.#json.slice(start, this.#place)
  }

  /** Throws if anything but white space follows the value. */
  end(): void {
    if (!Number.isNaN(this.#pastSpaces())) refuse()
  }

  #list(open: number, close: number, one: () => boolean): void {
    this.#pastMark(open)
    if (this.#pastSpaces() === close) {
      this.#place++
      return
    }
    while (one()) {
      const mark = this.#pastSpaces()
      this.#place++
      if (mark === close) return
      if (mark !== comma) refuse()
    }
  }

  /** Moves past any spaces. Returns the next code unit, or `NaN` at the end. */
  #pastSpaces(): number {
    const json = this.#json
    let place = this.#place
    for (;;) {
      const code = json.charCodeAt(place)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) {
        this.#place = place
        return code
      }
      place++
    }
  }

  #pastMark(mark: number): void {
    if (this.#pastSpaces() !== mark) refuse()
    this.#place++
  }

  #pastKey(): void {
    this.#pastSpaces()
    this.#pastText()
    this.#pastMark(colon)
  }

  #pastScalar(code: number): void {
    if (code === quote) this.#pastText()
    else if (code === minus || isDigit(code)) this.#pastNumber()
    else this.word()
  }

  /** Skips a text. Returns whether it contains escapes. */
  #pastText(): boolean {
    const json = this.#json
    let place = this.#place
    let isEscaped = false
    if (json.charCodeAt(place) !== quote) refuse()
    for (;;) {
      const code = json.charCodeAt(++place)
      if (code === quote) break
      // Also true at the end of the text, where the code is `NaN`.
      if (!(code >= 0x20)) refuse()
      if (code === backslash) {
        isEscaped = true
        place = this.#escapeEnd(place)
      }
    }
    this.#place = place + 1
    return isEscaped
  }

  /** The index of the last code unit of the escape that starts here. */
  #escapeEnd(place: number): number {
    const json = this.#json
    const letter = json.charCodeAt(place + 1)
    if (letter !== letterU) return isShortEscape(letter) ? place + 1 : refuse()
    for (let digit = 2; digit < 6; digit++) if (!isHexDigit(json.charCodeAt(place + digit))) refuse()
    return place + 5
  }

  #pastNumber(): void {
    if (this.#json.charCodeAt(this.#place) === minus) this.#place++
    if (this.#json.charCodeAt(this.#place) === zero) this.#place++
    else this.#pastDigits()
    if (this.#json.charCodeAt(this.#place) === point) {
      this.#place++
      this.#pastDigits()
    }
    // Matches `E` and `e`.
    if ((this.#json.charCodeAt(this.#place) | 0x20) !== 0x65) return
    const sign = this.#json.charCodeAt(++this.#place)
    if (sign === plus || sign === minus) this.#place++
    this.#pastDigits()
  }

  /** Skips one or more digits. */
  #pastDigits(): void {
    const json = this.#json
    let place = this.#place
    if (!isDigit(json.charCodeAt(place))) refuse()
    do place++
    while (isDigit(json.charCodeAt(place)))
    this.#place = place
  }
}

const words = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const

const isDigit = (code: number): boolean => code >= zero && code <= nine

const letterU = 0x75

/** Whether this may follow a backslash: `"`, `/`, `\\`, `b`, `f`, `n`, `r`, `t`. */
const isShortEscape = (code: number): boolean => code === quote || code === backslash || shortEscapes.includes(code)

const shortEscapes: readonly number[] = [0x6e, 0x2f, 0x74, 0x72, 0x62, 0x66]

const isHexDigit = (code: number): boolean => isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)
