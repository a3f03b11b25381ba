import type { SourceRow } from '../source.ts'
import { annotationOf, reportOf, savedReplayOf, seenReplayOf, segmentOf } from './saved.ts'
import { boardOf, shareInWebsite, shareOf } from './shares.ts'
import type { Known, Moved } from './thing.ts'
import { keyOf, memberOf, teamOf, userOf } from './users.ts'
import { linkOf, websiteOf } from './websites.ts'

/** A table of the source and the conversion of its rows. */
export interface Family {
  /** The name for messages. */
  readonly name: string
  readonly from: string
  /** The columns of its id. */
  readonly id: readonly string[]
  /** The other columns to read, if the source has them. */
  readonly columns: readonly string[]
  /** A column that the source must have; without it, the table is not read. */
  readonly needs?: string
  /** Whether to read the oldest rows first. If two rows have the same name, the older one keeps it. */
  readonly byAge?: true
  readonly move: (row: SourceRow, known: Known) => Moved | Promise<Moved>
}

const times = ['created_at', 'updated_at']
const owned = [...times, 'user_id', 'team_id']
const tracked = [...owned, 'name', 'slug', 'deleted_at']
const ofWebsite = [...times, 'website_id', 'name']

/** Ordered so that each family comes after the families it depends on. */
export const families: readonly Family[] = [
  {
    ...{ name: 'users', from: 'user', id: ['user_id'], byAge: true, move: userOf },
    columns: [...times, 'username', 'password', 'role', 'logo_url', 'display_name', 'deleted_at'],
  },
  {
    ...{ name: 'teams', from: 'team', id: ['team_id'], move: teamOf },
    columns: [...times, 'name', 'access_code', 'logo_url', 'deleted_at'],
  },
  {
    ...{ name: 'members of teams', from: 'team_user', id: ['team_user_id'], move: memberOf },
    columns: [...owned, 'role'],
  },
  {
    ...{ name: 'API keys', from: 'api_key', id: ['api_key_id'], move: keyOf },
    columns: ['user_id', 'name', 'key_hash', 'key_prefix', 'last_used_at', 'created_at'],
  },
  {
    ...{ name: 'websites', from: 'website', id: ['website_id'], move: websiteOf },
    columns: [
      ...[...owned, 'name', 'domain', 'reset_at', 'created_by', 'deleted_at'],
      ...['replay_enabled', 'replay_config'],
    ],
  },
  { name: 'links', from: 'link', id: ['link_id'], columns: [...tracked, 'url'], move: linkOf('link') },
  { name: 'pixels', from: 'pixel', id: ['pixel_id'], columns: tracked, move: linkOf('pixel') },
  {
    ...{ name: 'boards', from: 'board', id: ['board_id'], move: boardOf },
    columns: [...owned, 'type', 'name', 'description', 'parameters'],
  },
  {
    ...{ name: 'shares', from: 'share', id: ['share_id'], byAge: true, move: shareOf },
    columns: [...times, 'entity_id', 'name', 'share_type', 'slug', 'parameters'],
  },
  {
    ...{ name: 'shares of websites', from: 'website', id: ['website_id'], needs: 'share_id', move: shareInWebsite },
    columns: ['name', 'share_id', 'created_at'],
  },
  {
    ...{ name: 'segments and cohorts', from: 'segment', id: ['segment_id'], move: segmentOf },
    columns: [...ofWebsite, 'type', 'parameters'],
  },
  {
    ...{ name: 'saved reports', from: 'report', id: ['report_id'], move: reportOf },
    columns: [...ofWebsite, 'user_id', 'type', 'description', 'parameters'],
  },
  {
    ...{ name: 'annotations', from: 'annotation', id: ['annotation_id'], move: annotationOf },
    columns: [...times, 'website_id', 'user_id', 'date', 'all_day', 'note'],
  },
  {
    ...{ name: 'saved replays', from: 'session_replay_saved', id: ['saved_replay_id'], move: savedReplayOf },
    columns: [...ofWebsite, 'visit_id'],
  },
  {
    ...{ name: 'seen replays', from: 'session_replay_view', id: ['user_id', 'website_id', 'visit_id'] },
    ...{ columns: ['created_at'], move: seenReplayOf },
  },
]
