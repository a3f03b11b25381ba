import { request } from 'node:http'
import { running } from './weir.ts'

export interface RawReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/**
 * Sends requests that `fetch` refuses, with a body for GET, non-UTF-8 bytes in the path, or any method. The header
 * `transfer-encoding: chunked` replaces the body's length.
 */
export function sendRaw(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
  url = running.url,
): Promise<RawReply> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const hasLength = body !== undefined && !('transfer-encoding' in headers)
    const length = hasLength ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    const options = { hostname, port, method, path, headers: { ...headers, ...length }, agent: false }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
