import { columnNames, type OriginTable } from './columns.ts'

/** The statements that copy a file into a temporary table, and its new rows into Umami's table. */
function loading(table: OriginTable, before: string, condition: string): string {
  const columns = columnNames(table).join(', ')
  return `CREATE TEMP TABLE new_${table} ON COMMIT DROP AS SELECT ${columns} FROM ${table} WITH NO DATA;
\\copy new_${table} (${columns}) from '${table}.csv' csv header
${before}INSERT INTO ${table} (${columns}) SELECT ${columns} FROM new_${table} AS new${condition} ON CONFLICT DO NOTHING;
`
}

/** Properties of events that were imported from Umami have different ids in Umami. */
const isNewProperty = ` WHERE NOT EXISTS (
  SELECT FROM event_data AS old WHERE old.website_event_id = new.website_event_id AND old.data_key = new.data_key)`

/** Umami has one value for each key of a session. */
const dropOlderValues = `DELETE FROM session_data AS old USING new_session_data AS new
  WHERE old.website_id = new.website_id AND old.session_id = new.session_id AND old.data_key = new.data_key
    AND old.created_at <= new.created_at;
`

/** A psql script. It can be run again; existing rows stay unchanged. */
export const loadScript = `-- Loads these files into the PostgreSQL of an Umami since 3.1. In this folder: psql postgres://… -f load.sql
\\set ON_ERROR_STOP on
\\encoding UTF8
BEGIN;
${loading('session', '', '')}${loading('website_event', '', '')}${loading('event_data', '', isNewProperty)}${loading('session_data', dropOlderValues, '')}COMMIT;
`
