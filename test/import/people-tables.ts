import type pg from 'pg'
import { makeTables, type Version, versions } from './tables.ts'

const isFrom = (version: Version, first: Version): boolean => versions.indexOf(version) >= versions.indexOf(first)

const stamped = 'created_at timestamptz(6) DEFAULT now(), updated_at timestamptz(6)'
const owned = 'user_id uuid, team_id uuid'
const saved = `website_id uuid NOT NULL, type varchar(50) NOT NULL, name varchar(200) NOT NULL, ${stamped}`

/** The tables for people and their objects, without the event tables. */
function peopleTables(version: Version): Readonly<Record<string, string>> {
  const json = isFrom(version, '2.20') ? 'jsonb' : 'varchar(6000)'
  return {
    user: `user_id uuid PRIMARY KEY, username varchar(255) UNIQUE NOT NULL, password varchar(60) NOT NULL,
      role varchar(50) NOT NULL, logo_url varchar(2183), display_name varchar(255), ${stamped},
      deleted_at timestamptz(6) ${version === 'late' ? ', two_factor_required boolean' : ''}`,
    team: `team_id uuid PRIMARY KEY, name varchar(50) NOT NULL, access_code varchar(50) UNIQUE,
      logo_url varchar(2183), ${stamped}, deleted_at timestamptz(6)`,
    team_user: `team_user_id uuid PRIMARY KEY, team_id uuid NOT NULL, user_id uuid NOT NULL,
      role varchar(50) NOT NULL, ${stamped}`,
    report: `report_id uuid PRIMARY KEY, user_id uuid NOT NULL, description varchar(500) NOT NULL DEFAULT '',
      parameters ${json} NOT NULL, ${saved}`,
    ...(isFrom(version, '2.20') && {
      segment: `segment_id uuid PRIMARY KEY, parameters jsonb NOT NULL, ${saved}`,
    }),
    ...(isFrom(version, '3.1') && {
      share: `share_id uuid PRIMARY KEY, entity_id uuid NOT NULL, name varchar(200) NOT NULL, share_type int NOT NULL,
        slug varchar(100) UNIQUE NOT NULL, parameters jsonb NOT NULL, ${stamped}`,
      board: `board_id uuid PRIMARY KEY, type varchar(50) NOT NULL, name varchar(200) NOT NULL,
        description varchar(500) NOT NULL DEFAULT '', parameters jsonb NOT NULL, ${owned}, ${stamped}`,
    }),
    ...(version === 'late' && {
      annotation: `annotation_id uuid PRIMARY KEY, website_id uuid NOT NULL, user_id uuid, date timestamptz(6) NOT NULL,
        all_day boolean NOT NULL DEFAULT true, note varchar(500) NOT NULL, ${stamped}`,
      api_key: `api_key_id uuid PRIMARY KEY, user_id uuid NOT NULL, name varchar(255) NOT NULL,
        key_hash varchar(128) UNIQUE NOT NULL, key_prefix varchar(20) NOT NULL, last_used_at timestamptz(6),
        created_at timestamptz(6) DEFAULT now()`,
      two_factor_auth: `id text PRIMARY KEY, user_id uuid NOT NULL, secret text NOT NULL,
        is_enabled boolean NOT NULL DEFAULT false`,
      session_replay_view: `user_id uuid NOT NULL, website_id uuid NOT NULL, visit_id uuid NOT NULL,
        created_at timestamptz(6) DEFAULT now(), PRIMARY KEY (user_id, website_id, visit_id)`,
    }),
  }
}

/** Creates all of a version's tables for events, people and their objects. */
export async function makeAllTables(client: pg.Client, version: Version): Promise<void> {
  await makeTables(client, version)
  for (const [table, columns] of Object.entries(peopleTables(version))) {
    await client.query(`CREATE TABLE "${table}" (${columns})`)
  }
  await client.query('ALTER TABLE website ADD created_by uuid, ADD updated_at timestamptz(6)')
  if (!isFrom(version, '3.1')) return
  for (const table of ['link', 'pixel']) {
    await client.query(`ALTER TABLE ${table} ADD user_id uuid, ADD team_id uuid, ADD updated_at timestamptz(6)`)
  }
  await client.query(`ALTER TABLE session_replay_saved
    ADD IF NOT EXISTS created_at timestamptz(6) DEFAULT now(), ADD IF NOT EXISTS updated_at timestamptz(6)`)
}
