import { once } from 'node:events'
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseServer } from '../../src/clickhouse/server.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { startBeside } from './beside.ts'
import { passingTrials } from './trials.ts'
import { running } from './weir.ts'

/** A Worker in front of a ClickHouse that a test controls. */
export interface Breaking {
  readonly url: string
  listen(how: RequestListener): void
  close(): Promise<void>
}

/** `seconds` is the time limit for an export. */
export async function breaking(seconds: number): Promise<Breaking> {
  let behave: RequestListener = (_, response) => response.end()
  const double: HttpServer = createServer(passingTrials((request, response) => behave(request, response))).listen(
    0,
    '127.0.0.1',
  )
  await once(double, 'listening')
  const { port } = double.address() as AddressInfo
  const options = bundled(
    running.dataDir,
    0,
    parseServer({ CLICKHOUSE_URL: `http://127.0.0.1:${port}/?database=weir` }),
  )
  const bindings = { ...options.bindings, CLICKHOUSE_EXPORT_TIMEOUT: String(seconds) }
  const worker = await startBeside({ ...options, bindings })
  return {
    url: worker.url,
    listen(how) {
      behave = how
    },
    async close() {
      await worker.close()
      double.closeAllConnections()
      double.close()
    },
  }
}

/** A row of 1,000 bytes as ClickHouse would send it, in each line format. */
export const line = {
  'application/x-ndjson': `{"id":"${'x'.repeat(990)}"}\n`,
  'text/csv': `"${'x'.repeat(935)}","${'c'.repeat(58)}"\n`,
} as const

/** Reads a response to its end, or until the runtime aborts it after the last bytes. */
export async function readFrom(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of answer.body!) text += decoder.decode(chunk, { stream: true })
  } catch {}
  return text
}

/** The rows of an export and, if there is one, the error at its end. */
export function parted(text: string, accept: keyof typeof line): { rows: string; error: unknown } {
  const start = text.lastIndexOf('\n', text.length - 2) + 1
  const last = text.slice(start, -1)
  const json = accept === 'text/csv' && last.startsWith('"{') ? last.slice(1, -1).replaceAll('""', '"') : last
  const { error } = (json.startsWith('{') ? JSON.parse(json) : {}) as { error?: unknown }
  return error === undefined ? { rows: text, error } : { rows: text.slice(0, start), error }
}
