import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { writeWhole } from '../machine/private-folder.ts'
import { Misuse } from '../told/misuse.ts'
import type { Refused } from './made-rows.ts'
import type { Cursor } from './source.ts'

/** The progress of a section, and the outcome for its rows. */
interface Done {
  readonly after: Cursor | undefined
  readonly isWhole: boolean
  readonly read: number
  readonly refused: number
}

export const nothingDone: Done = { after: undefined, isWhole: false, read: 0, refused: 0 }

/** The source and target of an import. A state file can only continue an import with the same source and target. */
interface Belongs {
  readonly source: string
  readonly target: string
}

interface Line extends Done {
  readonly section: string
  /** The length in bytes of the file of refused rows. */
  readonly length: number
}

const parsed = <Value>(line: string): Value | undefined => {
  try {
    return JSON.parse(line) as Value
  } catch {
    return undefined
  }
}

/**
 * The state of an import: a file with a line for each step. The newest line of a section applies; a truncated line is
 * ignored. Two more files contain the refused rows and the current batch.
 */
export class State {
  readonly #file: string
  readonly #sections = new Map<string, Done>()
  #length = 0
  readonly id: string

  constructor(file: string, belongs: Belongs) {
    this.#file = file
    const [first = '', ...lines] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    const header = parsed<Belongs & { id: string }>(first)
    if (first !== '' && typeof header?.id !== 'string') throw new Misuse(`${file} is not the state of an import.`)
    const other =
      header && ((header.source !== belongs.source && 'source') || (header.target !== belongs.target && 'target'))
    if (other) {
      throw new Misuse(
        `${file} belongs to an import with another ${other}: ${header[other]}, not ${belongs[other]}. Use another --state.`,
      )
    }
    this.id = header?.id ?? randomUUID()
    for (const line of lines) this.#take(parsed<Line>(line))
    this.#compact({ id: this.id, ...belongs })
  }

  /** The file of refused rows. */
  get refusedFile(): string {
    return `${this.#file}.refused`
  }

  /** The file of the current batch. */
  get batchFile(): string {
    return `${this.#file}.batch`
  }

  of(section: string): Done {
    return this.#sections.get(section) ?? nothingDone
  }

  all(): readonly Done[] {
    return [...this.#sections.values()]
  }

  /** Records a step. Its refused rows are written first. After a kill in between, the next start drops them. */
  set(section: string, done: Done, refused: readonly Refused[] = []): void {
    if (refused.length > 0) {
      const text = refused.map((one) => `${JSON.stringify({ section, ...one })}\n`).join('')
      appendFileSync(this.refusedFile, text, { mode: 0o600 })
      this.#length += Buffer.byteLength(text)
    }
    const line: Line = { section, ...done, length: this.#length }
    this.#take(line)
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }

  /** Forgets a section and its refused rows. */
  forget(section: string): void {
    if (this.of(section).refused > 0) {
      const kept = readFileSync(this.refusedFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '' && parsed<Line>(line)?.section !== section)
      writeWhole(this.refusedFile, textOf(kept))
      this.#length = Buffer.byteLength(textOf(kept))
    }
    this.set(section, nothingDone)
  }

  #take(line: Line | undefined): void {
    if (line === undefined) return
    const { section, length, ...done } = line
    this.#sections.set(section, done)
    this.#length = length
  }

  /** Drops older lines, and refused rows of a step that was not recorded. */
  #compact(header: object): void {
    const lines = [...this.#sections].map(([section, done]) => ({ section, ...done, length: this.#length }))
    writeWhole(this.#file, textOf([header, ...lines].map((one) => JSON.stringify(one))))
    if (!existsSync(this.refusedFile)) return
    const refused = readFileSync(this.refusedFile)
    if (this.#length === 0) rmSync(this.refusedFile)
    else writeFileSync(this.refusedFile, refused.subarray(0, this.#length))
  }
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
