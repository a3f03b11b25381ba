import { run } from '../../src/clickhouse/run.ts'
import { compile, type Result, type Statement } from '../../src/query/language/sql.ts'
import { event, id } from '../oracle/fixtures.ts'
import { columnTime } from './website.ts'

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
  const made = await madeWithNotes(route, { cheaper }, changed)
  return async () => made?.result((await run(route, made.statement, signal)) as Result<never>)
}

async function madeWithNotes<Row>(route: Route, { cheaper }: Shortened<Row>, changed: Changed) {
  const { given } = cheaper ?? {}
  const found = given && (await run(route, given.statement, new AbortController().signal))
  const rows = found?.rows.map((note) => ({ ...(note as object), ...changed })) as never
  const made = found && given.cheaper({ ...found, rows })
  // Only what a chain answers may be tried in vain.
  return made?.triedAs === undefined ? undefined : made
}

/** Whether notes let a chain answer. */
export const isMade = async <Row>(route: Route, statement: Shortened<Row>, changed: Changed = {}): Promise<boolean> =>
  (await madeWithNotes(route, statement, changed)) !== undefined

/** The statement by chains that notes allow. */
export const chainedStatement = async <Row>(route: Route, statement: Shortened<Row>): Promise<Statement<unknown>> =>
  (await madeWithNotes(route, statement, {}))!.statement

/** Whether one read of the statement by chains picks rows, and leaves it to another one to count all. */
export const picksRows = async <Row>(route: Route, statement: Shortened<Row>): Promise<boolean> =>
  compile((await chainedStatement(route, statement)).body).query.includes('prewhere session_key')

/** What chains answer to a statement with the notes of now. */
export const chainedResult = async <Row>(
  route: Route,
  statement: Shortened<Row>,
  changed?: Changed,
): Promise<Result<Row> | undefined> => (await withNotes(route, statement, changed))()

/** A view of one of four sessions on each of 40 days; `shardOf` says where it lies. */
export const viewEachDay = (from: number, website_id: string, shardOf: (session: number, day: number) => number) =>
  Array.from({ length: 40 }, (_, day) => ({
    shard: shardOf(day % 4, day),
    row: {
      ...event({ event_id: id(9000 + day), session_id: id(9100 + (day % 4)), visit_id: id(9200 + day) }),
      ...{ website_id, created_at: columnTime(from + day * 86_400_000), event_type: 1, event_name: '' },
    },
  }))
