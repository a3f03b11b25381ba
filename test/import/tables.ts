import type pg from 'pg'

/** The Umami versions whose PostgreSQL tables the tests create. */
export const versions = ['2.15', '2.18', '2.20', '3.1', 'late'] as const

export type Version = (typeof versions)[number]

const isFrom = (version: Version, first: Version): boolean => versions.indexOf(version) >= versions.indexOf(first)

const texts = (length: number, ...names: readonly string[]): string[] =>
  names.map((name) => `${name} varchar(${length})`)

const uuids = (...names: readonly string[]): string[] => names.map((name) => `${name} uuid NOT NULL`)

const stamped = ['created_at timestamptz(6) DEFAULT now()']

const values = [
  'string_value varchar(500)',
  'number_value numeric(19,4)',
  'date_value timestamptz(6)',
  'data_type int NOT NULL',
]

/** A version's tables, with their columns. */
function tablesOf(version: Version): Readonly<Record<string, readonly string[]>> {
  const since = (first: Version, ...columns: readonly string[]): readonly string[] =>
    isFrom(version, first) ? columns : []
  const until = (first: Version, ...columns: readonly string[]): readonly string[] =>
    isFrom(version, first) ? [] : columns
  return {
    website_event: [
      ...['event_id uuid PRIMARY KEY', ...uuids('website_id', 'session_id', 'visit_id'), ...stamped],
      ...['url_path varchar(500) NOT NULL', 'url_query varchar(500)', 'referrer_path varchar(500)'],
      ...texts(500, 'referrer_query', 'referrer_domain', 'page_title'),
      ...['event_type int NOT NULL DEFAULT 1', 'event_name varchar(50)', 'tag varchar(50)'],
      ...since('2.18', ...texts(255, 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term')),
      ...since(
        '2.18',
        ...texts(255, 'gclid', 'fbclid', 'msclkid', 'ttclid', 'li_fat_id', 'twclid'),
        'hostname varchar(100)',
      ),
      ...since('3.1', ...['lcp', 'inp', 'fcp', 'ttfb'].map((name) => `${name} numeric(10,1)`), 'cls numeric(10,4)'),
    ],
    session: [
      ...['session_id uuid PRIMARY KEY', ...uuids('website_id'), ...texts(20, 'browser', 'os', 'device')],
      ...['screen varchar(11)', 'language varchar(35)', 'country char(2)', 'city varchar(50)', ...stamped],
      ...until('2.18', 'hostname varchar(100)', 'subdivision1 varchar(20)', 'subdivision2 varchar(50)'),
      ...since('2.18', 'region varchar(20)', 'distinct_id varchar(50)'),
      ...since('late', 'visitor_id uuid'),
    ],
    event_data: [
      ...[
        'event_data_id uuid PRIMARY KEY',
        ...uuids('website_id', 'website_event_id'),
        'data_key varchar(500) NOT NULL',
      ],
      ...[...values, ...stamped],
    ],
    session_data: [
      ...['session_data_id uuid PRIMARY KEY', ...uuids('website_id', 'session_id'), 'data_key varchar(500) NOT NULL'],
      ...[...values, ...stamped, ...since('2.18', 'distinct_id varchar(50)')],
    ],
    website: [
      ...[
        'website_id uuid PRIMARY KEY',
        'name varchar(100) NOT NULL',
        'domain varchar(500)',
        'reset_at timestamptz(6)',
      ],
      ...['user_id uuid', 'team_id uuid', ...stamped, 'deleted_at timestamptz(6)'],
      ...until('3.1', 'share_id varchar(50)'),
      ...since('3.1', 'replay_enabled boolean NOT NULL DEFAULT false', 'replay_config jsonb'),
    ],
    ...laterTables(version),
  }
}

function laterTables(version: Version): Readonly<Record<string, readonly string[]>> {
  if (!isFrom(version, '3.1')) return {}
  const tracked = ['name varchar(100) NOT NULL', 'slug varchar(100) UNIQUE', 'deleted_at timestamptz(6)', ...stamped]
  const figures = ['x int', 'y int', 'viewport_w int', 'viewport_h int', 'page_h int', 'scroll_pct int']
  return {
    link: ['link_id uuid PRIMARY KEY', 'url varchar(500)', ...tracked],
    pixel: ['pixel_id uuid PRIMARY KEY', ...tracked],
    session_replay: [
      ...['replay_id uuid PRIMARY KEY', ...uuids('website_id', 'session_id', 'visit_id'), 'chunk_index int NOT NULL'],
      ...[
        'events bytea NOT NULL',
        'event_count int',
        'started_at timestamptz(6)',
        'ended_at timestamptz(6)',
        ...stamped,
      ],
    ],
    session_replay_saved: ['saved_replay_id uuid PRIMARY KEY', 'name varchar(100)', ...uuids('website_id', 'visit_id')],
    ...(version === 'late' && {
      heatmap_event: [
        ...['heatmap_event_id uuid PRIMARY KEY', ...uuids('website_id', 'session_id', 'visit_id')],
        ...['url_path varchar(500) NOT NULL', 'event_type int NOT NULL', ...figures],
        ...['page_x int', 'page_y int', 'page_w int', ...stamped],
      ],
    }),
  }
}

const indexes = [
  'website_event (website_id, created_at)',
  'event_data (website_event_id)',
  'event_data (website_id, created_at)',
  'session_data (website_id, created_at, data_key)',
]

/** Creates a version's tables. With `loose`, they lack the constraints that refuse invalid rows. */
export async function makeTables(client: pg.Client, version: Version, loose = false): Promise<void> {
  for (const [table, columns] of Object.entries(tablesOf(version))) {
    const own = loose ? columns.map((column) => column.replace(' NOT NULL', '')) : columns
    await client.query(`CREATE TABLE ${table} (${own.join(', ')})`)
  }
  for (const index of indexes) await client.query(`CREATE INDEX ON ${index}`)
}

/** Inserts rows, without columns that the table lacks. */
export async function insertInto(client: pg.Client, table: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return
  const names = await client.query('SELECT column_name FROM information_schema.columns WHERE table_name = $1', [table])
  const columns = names.rows.map(({ column_name }) => column_name as string)
  await client.query(
    `INSERT INTO "${table}" (${columns.join(', ')}) SELECT ${columns.join(', ')} FROM json_populate_recordset(NULL::"${table}", $1::json)`,
    [JSON.stringify(rows)],
  )
}
