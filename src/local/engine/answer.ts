import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createGzip, type Gzip } from 'node:zlib'
import { type Figures, noFigures } from './connection.ts'
import { type ClickHouseError, errorBody, statusOf } from './errors.ts'

/** The response to one request. Its headers are sent with the first bytes, or with the error. */
export interface Answer {
  /** Sends the headers and the start of the result. */
  start(head: AnswerHead): void
  write(bytes: Buffer): Promise<void>
  end(bytes?: Buffer): void
  /** Sends the error as the response, or at the end of a partial result. */
  fail(error: ClickHouseError): void
}

interface AnswerHead {
  readonly contentType: string
  readonly format?: string
  readonly figures: Figures
  readonly elapsed: bigint
}

export function openAnswer(response: ServerResponse, version: string, useGzip: boolean): Answer {
  const tag = randomBytes(8).toString('hex')
  let output: ServerResponse | Gzip = response
  return {
    start(head) {
      response.statusCode = 200
      response.setHeader('Content-Type', head.contentType)
      response.setHeader('X-ClickHouse-Exception-Tag', tag)
      if (head.format !== undefined) response.setHeader('X-ClickHouse-Format', head.format)
      response.setHeader('X-ClickHouse-Summary', summary(head))
      if (useGzip) output = gzipInto(response)
    },
    async write(bytes) {
      if (response.destroyed || output.write(bytes)) return
      await drained(output, response)
    },
    end(bytes) {
      if (bytes === undefined) output.end()
      else output.end(bytes)
    },
    fail(error) {
      const body = errorBody(error, version)
      if (!response.headersSent) return sendError(response, error.code, body)
      if (response.destroyed) return
      output.write(exceptionInResult(body, tag))
      if (output === response) cut(response)
      else (output as Gzip).flush(() => cut(response))
    },
  }
}

/** Waits until more can be written, or until the client disconnects. */
function drained(output: ServerResponse | Gzip, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      output.off('drain', done)
      response.off('close', done)
      resolve()
    }
    output.on('drain', done)
    response.on('close', done)
  })
}

function gzipInto(response: ServerResponse): Gzip {
  response.setHeader('Content-Encoding', 'gzip')
  const gzip = createGzip()
  gzip.pipe(response)
  return gzip
}

function sendError(response: ServerResponse, code: number, body: string): void {
  for (const name of ['X-ClickHouse-Format', 'X-ClickHouse-Exception-Tag', 'Content-Encoding'])
    response.removeHeader(name)
  response.statusCode = statusOf(code)
  response.setHeader('Content-Type', 'text/plain; charset=UTF-8')
  response.setHeader('X-ClickHouse-Exception-Code', String(code))
  if (!response.hasHeader('X-ClickHouse-Summary'))
    response.setHeader('X-ClickHouse-Summary', summary({ figures: noFigures, elapsed: 0n }))
  response.end(body)
}

/**
 * Formats an error that occurs after the first bytes of a result. Since version 25.11 the server marks it with the tag
 * from the header `X-ClickHouse-Exception-Tag` and then breaks off the chunked response
 * (WriteBufferFromHTTPServerResponse.cpp; clients look for it).
 */
function exceptionInResult(body: string, tag: string): string {
  return `\r\n__exception__\r\n${tag}\r\n${body}${Buffer.byteLength(body)} ${tag}\r\n__exception__\r\n`
}

/** Flushes the connection and ends it without the last chunk, so that no client mistakes the response for complete. */
function cut(response: ServerResponse): void {
  response.write('', () => response.socket?.destroySoon())
}

function summary({ figures, elapsed }: Pick<AnswerHead, 'figures' | 'elapsed'>): string {
  return JSON.stringify({
    read_rows: String(figures.readRows),
    read_bytes: String(figures.readBytes),
    written_rows: String(figures.writtenRows),
    written_bytes: String(figures.writtenBytes),
    total_rows_to_read: String(figures.readRows),
    result_rows: String(figures.resultRows),
    result_bytes: String(figures.resultBytes),
    elapsed_ns: String(elapsed),
  })
}
