import { createWriteStream, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import type pg from 'pg'
import { benchPlan, datasetSteps } from '../../../src/local/dataset/index.ts'
import { websiteRows } from '../../import/origin.ts'
import { makeTables } from '../../import/tables.ts'
import type { TestPostgres } from '../../support/postgres.ts'
import { seed, to, websiteIds } from '../data.ts'

/** The database of Umami's tables in ClickHouse. Its table `given` has the rows in the form that `ingest` accepts. */
export const origin = 'umami'

/** Text columns that Umami's PostgreSQL stores with the session, and those that it stores with the event. */
const ofSession = 'browser, os, device, screen, language, country, region, city, distinct_id'.split(', ')
const ofEvent =
  'url_path, url_query, referrer_path, referrer_query, referrer_domain, page_title, event_name, tag, hostname, utm_source, utm_medium, utm_campaign, utm_content, utm_term, gclid, fbclid, msclkid, ttclid, li_fat_id, twclid'.split(
    ', ',
  )
const figures = ['lcp', 'inp', 'fcp', 'ttfb', 'cls']

/** Properties as rows with key, type, text, number and date. */
const properties = `array join properties.key as data_key, properties.data_type as data_type,
  properties.string_value as string_value, properties.number_value as number_value, properties.date_value as date_value`

/** Generates the rows, and fills Umami's tables in ClickHouse with them. Returns the number of rows. */
export async function fillClickHouse(client: ClickHouseClient, events: number): Promise<number> {
  const steps = datasetSteps(benchPlan(events, to, seed))
  const given = `${origin}.given`
  for (const query of [
    `drop database if exists ${origin}`,
    `create database ${origin}`,
    `create table ${given} as ingest engine = MergeTree order by created_at`,
  ])
    await client.command({ query })
  for (const { query, query_params } of steps)
    await client.command({ query: query.replace('insert into ingest', `insert into ${given}`), query_params })
  const ids = 'website_id, session_id, visit_id, event_id'
  const texts = [...ofSession, ...ofEvent].map((name) => `toString(${name}) as ${name}`)
  const vitals = figures.map((name) => `toDecimal64OrNull(toString(${name}), 4) as ${name}`)
  const second = "toDateTime(created_at, 'UTC') as created_at"
  await client.command({
    query: `create table ${origin}.website_event engine = MergeTree partition by toYYYYMM(created_at)
      order by (toStartOfHour(created_at), website_id, session_id, visit_id, created_at)
      as select ${ids}, ${texts}, ${vitals}, toUInt32(event_type) as event_type, ${second} from ${given}`,
  })
  await client.command({
    query: `create table ${origin}.event_data engine = MergeTree order by (website_id, event_id, data_key, created_at)
      as select website_id, session_id, event_id, data_key, toUInt32(data_type) as data_type, string_value,
        number_value, toDateTime(date_value, 'UTC') as date_value, ${second} from ${given} ${properties}`,
  })
  await client.command({
    query: `create table ${origin}.session_data (website_id UUID, session_id UUID, data_key String,
      string_value Nullable(String), data_type UInt32, created_at DateTime('UTC'))
      engine = ReplacingMergeTree order by (website_id, session_id, data_key)`,
  })
  return steps.reduce((sum, one) => sum + one.events, 0)
}

/** Fills Umami's tables in PostgreSQL with the same rows, through files in this folder. Returns its URL. */
export async function fillPostgres(postgres: TestPostgres, from: ClickHouseClient, folder: string): Promise<string> {
  const { client, url } = await postgres.database()
  await makeTables(client, '3.1')
  await client.query("SET TimeZone = 'UTC'")
  for (const website of websiteRows(websiteIds) as { website_id: string; name: string }[])
    await client.query('INSERT INTO website (website_id, name) VALUES ($1, $2)', [website.website_id, website.name])
  const orNull = (names: readonly string[]) => names.map((name) => `nullIf(${name}, '') as ${name}`)
  const copy = (table: string, columns: string, select: string) =>
    copied({ client, from, file: `${folder}/rows.csv` }, `${table} (${columns})`, select)
  const ids = 'event_id, website_id, session_id, visit_id, created_at, event_type'
  await copy(
    'website_event',
    [ids, ofEvent, figures].join(),
    `select ${ids}, url_path, ${orNull(ofEvent.slice(1))}, ${figures} from ${origin}.given`,
  )
  await copy(
    'session',
    `session_id, website_id, created_at, ${ofSession}`,
    `select session_id, any(website_id), min(created_at), ${ofSession.map((name) => `nullIf(any(${name}), '')`)}
     from ${origin}.given group by session_id`,
  )
  await copy(
    'event_data',
    'event_data_id, website_id, website_event_id, data_key, data_type, string_value, number_value, date_value, created_at',
    `select reinterpretAsUUID(sipHash128(event_id, data_key)), website_id, event_id, data_key, data_type, string_value, number_value, date_value,
       created_at from ${origin}.given ${properties}`,
  )
  await client.query('VACUUM ANALYZE')
  return url
}

interface Copying {
  readonly client: pg.Client
  readonly from: ClickHouseClient
  readonly file: string
}

async function copied({ client, from, file }: Copying, into: string, select: string): Promise<void> {
  const { stream } = await from.exec({ query: `${select} format CSV` })
  await pipeline(Readable.fromWeb(stream as never), createWriteStream(file))
  await client.query(`COPY ${into} FROM '${file}' (FORMAT csv, NULL '\\N')`)
  rmSync(file)
}
