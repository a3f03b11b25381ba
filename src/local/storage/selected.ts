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
