import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { refusal } from './errors.ts'

/** The body of a request. It is read once, from start to end. */
export interface Body {
  /** Reads at least the first `length` bytes, or the whole body if it is shorter. */
  head(length: number): Promise<{ bytes: Buffer; isWhole: boolean }>
  /** Reads the whole body. Throws if it is longer than `most` bytes. */
  whole(most: number): Promise<Buffer>
  /** Streams the body in chunks, from byte `start` of the head. */
  from(start: number): AsyncGenerator<Buffer>
}

export function readBody(message: IncomingMessage): Body {
  const chunks = decoded(message).iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  let start = Buffer.alloc(0)
  let isWhole = false
  const more = async () => {
    const next = await chunks.next().catch((error) => {
      throw notDecoded(error)
    })
    isWhole = next.done === true
    return isWhole ? Buffer.alloc(0) : next.value
  }
  const head = async (length: number) => {
    const read = [start]
    for (let total = start.length; total < length && !isWhole; total += read.at(-1)!.length) read.push(await more())
    start = Buffer.concat(read)
    return { bytes: start, isWhole }
  }
  return {
    head,
    async whole(most) {
      const { bytes } = await head(most + 1)
      if (bytes.length > most) throw refusal('QUERY_IS_TOO_LARGE', `The statement is longer than ${most} bytes.`)
      return bytes
    },
    async *from(offset) {
      yield start.subarray(offset)
      while (!isWhole) yield await more()
    },
  }
}

/** ClickHouse's error for a body that does not match its `Content-Encoding`. */
function notDecoded(error: NodeJS.ErrnoException): unknown {
  return error.code?.startsWith('Z_') || error.code?.startsWith('ERR_')
    ? refusal('ZLIB_INFLATE_FAILED', `inflate failed: ${error.message}`)
    : error
}

function decoded(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '') return message
  const decoder = decoders[encoding]?.()
  if (decoder === undefined)
    throw refusal('NOT_IMPLEMENTED', `Content-Encoding '${encoding}' is not available in this engine.`)
  message.on('close', () => {
    if (!message.complete) decoder.destroy(new Error('The client went away'))
  })
  // The iterator reports the error to its reader. A request that was refused earlier has no reader.
  decoder.on('error', () => {})
  return message.pipe(decoder)
}

const decoders: Record<string, (() => Readable & NodeJS.WritableStream) | undefined> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
