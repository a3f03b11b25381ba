import * as z from 'zod'
import { fromHere } from '../paths.ts'
import { printedRows } from '../storage/printed-rows.ts'
import type { Given } from './io.ts'

/** The D1 query for everything that has a page in Umami's dashboard. */
const pagesOfDashboard =
  'SELECT id, kind, name, domain, url FROM websites WHERE deleted_at IS NULL ORDER BY created_at, id'

const PageRow = z.object({
  id: z.guid(),
  kind: z.enum(['website', 'link', 'pixel']),
  name: z.string(),
  domain: z.string(),
  url: z.string().nullable(),
})

type PageRow = z.infer<typeof PageRow>

export async function printDashboardRows({
  words: [file],
  flags: { sql },
  io,
  withMetadata,
}: Given<{ sql?: true }>): Promise<void> {
  if (sql) return io.out(pagesOfDashboard)
  const print = (rows: readonly PageRow[]) => {
    for (const row of rows) io.out(statementFor(row))
    if (rows.length === 0) io.note('There are no websites, links or pixels.')
  }
  if (file !== undefined) return print(printedRows(fromHere(file, io.env), pagesOfDashboard, PageRow))
  await withMetadata(async (database) => print((await database.prepare(pagesOfDashboard).all<PageRow>()).results))
}

/**
 * A statement for Umami's PostgreSQL. For an existing row, it only clears the deletion mark. The id also serves as the
 * slug, because it is unique, and the addresses of links and pixels lead to Weir anyway.
 */
function statementFor({ id, kind, name, domain, url }: PageRow): string {
  const further = { website: { domain }, link: { url: url ?? '', slug: id }, pixel: { slug: id } }[kind]
  const columns = { [`${kind}_id`]: id, name, ...further }
  const values = Object.values(columns).map(literal).join(', ')
  return (
    `INSERT INTO ${kind} (${Object.keys(columns).join(', ')}) VALUES (${values}) ` +
    `ON CONFLICT (${kind}_id) DO UPDATE SET deleted_at = NULL;`
  )
}

/**
 * A PostgreSQL string literal on one line. Strings in PostgreSQL cannot contain U+0000. `standard_conforming_strings`
 * does not affect an `E` string.
 */
const literal = (text: string): string =>
  `E'${text
    .replaceAll('\0', '\ufffd')
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "''")
    .replace(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
      (character) => `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`,
    )}'`
