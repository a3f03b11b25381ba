import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const newline = 10

/** Lines in a temporary file. It has no name, so it disappears with this process. */
export class AnswerFile {
  readonly #file: FileHandle
  #length = 0
  /** The positions of the last two newlines. */
  #ends: readonly [number, number] = [-1, -1]
  #lines = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Writes the body, each line of which ends with a newline, into a file. */
  static async received(body: AsyncIterable<Uint8Array>): Promise<AnswerFile> {
    const path = join(tmpdir(), `weir-answer-${randomUUID()}`)
    const file = await open(path, 'wx+', 0o600)
    await rm(path)
    const answer = new AnswerFile(file)
    try {
      for await (const chunk of body) await answer.#add(chunk)
      return answer
    } catch (error) {
      await file.close()
      throw error
    }
  }

  get count(): number {
    return this.#lines
  }

  async lastLine(): Promise<string> {
    const [start, end] = this.#ends
    const bytes = Buffer.alloc(end - start - 1)
    await this.#file.read(bytes, 0, bytes.length, start + 1)
    return bytes.toString()
  }

  /** The bytes from the beginning. Afterwards, the file is closed. */
  bytes(): AsyncIterable<Uint8Array> {
    return this.#file.createReadStream({ start: 0, highWaterMark: 262_144 })
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #add(chunk: Uint8Array): Promise<void> {
    for (let place = chunk.indexOf(newline); place >= 0; place = chunk.indexOf(newline, place + 1)) {
      this.#ends = [this.#ends[1], this.#length + place]
      this.#lines++
    }
    for (let written = 0; written < chunk.length; ) {
      written += (await this.#file.write(chunk, written, chunk.length - written, this.#length + written)).bytesWritten
    }
    this.#length += chunk.length
  }
}
