import { readFileSync } from 'node:fs'
import * as z from 'zod'

/**
 * The rows that a statement returned from a remote D1. `file` contains the output of `wrangler d1 execute --json` for
 * that statement.
 */
export function printedRows<Row>(file: string, statement: string, row: z.ZodType<Row>): Row[] {
  const printed = z
    .array(z.object({ results: z.array(row) }))
    .length(1)
    .safeParse(jsonOf(readFileSync(file, 'utf8')))
  if (printed.success) return printed.data.flatMap(({ results }) => results)
  throw new Error(`${file} is not the output of wrangler d1 execute --json for: ${statement}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
