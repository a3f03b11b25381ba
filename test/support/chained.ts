import { run } from '../../src/clickhouse/run.ts'
import type { Result, Statement } from '../../src/query/language/sql.ts'

type Route = Parameters<typeof run>[0]

interface Shortened<Row> {
  readonly cheaper?: Statement<Row>['cheaper'] | undefined
}

/** What a note may say beside what it says now. */
interface Changed {
  /** 0: the server is a front. */
  readonly isHere?: 0
}

/** Reads the notes, and asks chains with them as often as wanted; the answer is undefined where they do not answer. */
export async function withNotes<Row>(
  route: Route,
  { cheaper }: Shortened<Row>,
  changed: Changed = {},
): Promise<() => Promise<Result<Row> | undefined>> {
  const { signal } = new AbortController()
  const { given } = cheaper ?? {}
  const found = given && (await run(route, given.statement, signal))
  const rows = found?.rows.map((note) => ({ ...(note as object), ...changed })) as never
  const made = found && given.cheaper({ ...found, rows })
  return async () => made?.result((await run(route, made.statement, signal)) as Result<never>)
}

/** What chains answer to a statement with the notes of now. */
export const chainedResult = async <Row>(
  route: Route,
  statement: Shortened<Row>,
  changed?: Changed,
): Promise<Result<Row> | undefined> => (await withNotes(route, statement, changed))()
