import type { Field } from '../../request/fields.ts'
import { type Fragment, sql } from '../language/sql.ts'

/** The column for each filter field. Column names for filters enter SQL only here. */
export const fieldColumns: Readonly<Record<Field, Fragment>> = {
  path: sql`url_path`,
  referrer: sql`referrer_domain`,
  title: sql`page_title`,
  query: sql`url_query`,
  browser: sql`browser`,
  os: sql`os`,
  device: sql`device`,
  country: sql`country`,
  region: sql`region`,
  city: sql`city`,
  language: sql`language`,
  hostname: sql`hostname`,
  tag: sql`tag`,
  event: sql`event_name`,
  distinctId: sql`distinct_id`,
  utmSource: sql`utm_source`,
  utmMedium: sql`utm_medium`,
  utmCampaign: sql`utm_campaign`,
  utmContent: sql`utm_content`,
  utmTerm: sql`utm_term`,
}
