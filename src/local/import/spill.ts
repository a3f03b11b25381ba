import { appendFileSync, createReadStream, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** How many characters are buffered for each file. */
const mostWaiting = 65_536

/** Lines of JSON in files, for data that does not fit into memory. */
export class Spill {
  readonly #folder: string
  readonly #waiting = new Map<string, string>()

  /** Creates the folder, and deletes leftovers of a killed import. */
  constructor(folder: string) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { mode: 0o700 })
    this.#folder = folder
  }

  add(file: string, value: object): void {
    const text = `${this.#waiting.get(file) ?? ''}${JSON.stringify(value)}\n`
    if (text.length < mostWaiting) this.#waiting.set(file, text)
    else this.#write(file, text)
  }

  /** The values of a file, in the order in which they were written. */
  async *values<Value>(file: string): AsyncGenerator<Value> {
    this.#write(file, this.#waiting.get(file) ?? '')
    if (!existsSync(join(this.#folder, file))) return
    const lines = createInterface({
      input: createReadStream(join(this.#folder, file)),
      crlfDelay: Number.POSITIVE_INFINITY,
    })
    for await (const line of lines) yield JSON.parse(line) as Value
  }

  drop(file: string): void {
    this.#waiting.delete(file)
    rmSync(join(this.#folder, file), { force: true })
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #write(file: string, text: string): void {
    this.#waiting.delete(file)
    if (text !== '') appendFileSync(join(this.#folder, file), text, { mode: 0o600 })
  }
}
