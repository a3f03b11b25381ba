import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'

/** The rows that a statement selects. */
export async function selected<Row>(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
  clickhouse_settings: ClickHouseSettings = {},
): Promise<Row[]> {
  return (await client.query({ query, query_params, format: 'JSONEachRow', clickhouse_settings })).json<Row>()
}

/** The column `text` of the rows that a statement selects. The statement's only parameter is `name`. */
export const texts = async (client: ClickHouseClient, query: string, name = ''): Promise<string[]> =>
  (await selected<{ text: string }>(client, query, { name })).map(({ text }) => text)

/**
 * One thread takes longer, but uses less processor time. No statement runs often enough to make compiling it
 * worthwhile.
 */
export const frugal = {
  max_threads: 1,
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  compile_sort_description: 0,
  use_index_for_in_with_subqueries: 0,
} as const satisfies ClickHouseSettings

/** Like `selected`, with `frugal` settings. 64-bit integers are numbers, not strings. */
export const frugallySelected = <Row>(
  client: ClickHouseClient,
  query: string,
  query_params: object = {},
  settings: ClickHouseSettings = {},
): Promise<Row[]> =>
  selected(
    client,
    query,
    { ...query_params },
    {
      output_format_json_quote_64bit_integers: 0,
      ...frugal,
      ...settings,
    },
  )
