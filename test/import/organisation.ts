import { createHash, randomBytes } from 'node:crypto'
import { hashSync } from 'bcryptjs'
import type pg from 'pg'
import { newId } from '../support/website.ts'
import { insertInto, type Version } from './tables.ts'

export const oldPassword = 'correct horse of before'

/** A hash with the lowest cost, because tests check some of these passwords. */
const password = hashSync(oldPassword, 4)

/** Other test files look up the first admin, so users that these tests import are never the oldest. */
const lastMade = { created_at: '2099-01-01 00:00:00+00', updated_at: '2099-01-01 00:00:00+00' }

const stamps = { created_at: '2024-03-01 12:00:00.123456+00', updated_at: '2024-04-01 12:00:00+00' }

/** A small organisation with two people, their team and their objects. */
export function newOrganisation(version: Version) {
  const mark = randomBytes(5).toString('hex')
  const [ada, bob, gone, team] = [newId(), newId(), newId(), newId()]
  const [own, teams, deleted, link, pixel, board] = [newId(), newId(), newId(), newId(), newId(), newId()]
  const key = `umami_${randomBytes(16).toString('hex')}`
  const isLater = version === '3.1' || version === 'late'
  const tracked = { user_id: ada, team_id: null, ...stamps }
  const share = (entity_id: string, share_type: number, slug: string, parameters: object) => ({
    ...{ share_id: newId(), name: `Share ${slug}`, entity_id, share_type, slug: `${slug}-${mark}`, parameters },
    ...stamps,
  })
  const tables: Record<string, object[]> = {
    user: [
      { user_id: ada, username: `Ada ${mark}`, password, role: 'admin', display_name: 'Ada L.', ...lastMade },
      { user_id: bob, username: `bob-${mark}`, password: password.replace('$2b$', '$2a$'), role: 'user', ...lastMade },
      { user_id: gone, username: `gone-${mark}`, password, role: 'user', ...lastMade, deleted_at: '2024-05-01' },
    ],
    team: [
      { team_id: team, name: 'The team', access_code: `team_${mark}`, logo_url: 'https://logo.example/', ...stamps },
    ],
    team_user: [
      { team_user_id: newId(), team_id: team, user_id: bob, role: 'team-owner', ...stamps },
      { team_user_id: newId(), team_id: team, user_id: ada, role: 'team-member', ...stamps },
      { team_user_id: newId(), team_id: team, user_id: gone, role: 'team-member', ...stamps },
    ],
    website: [
      {
        ...{
          website_id: own,
          name: 'Own',
          domain: 'HTTPS://Shop.Example:8080/path',
          reset_at: '2024-03-05 01:02:03+00',
        },
        ...{ ...tracked, created_by: ada, share_id: `old-${mark}`, replay_enabled: version !== 'late' },
        replay_config: {
          sampleRate: 0.5,
          maskLevel: 'strict',
          maxDuration: 30_000,
          blockSelector: '.x',
          ...(version === 'late' && { replayEnabled: true }),
        },
      },
      {
        website_id: teams,
        name: 'Of the team',
        domain: null,
        ...tracked,
        team_id: team,
        created_by: bob,
        replay_enabled: false,
      },
      { website_id: deleted, name: 'Deleted', ...tracked, deleted_at: '2024-05-01', replay_enabled: false },
    ],
    report: reportRows(version, own, ada),
    segment: [
      {
        ...{ segment_id: newId(), website_id: own, type: 'segment', name: 'Chrome', ...stamps },
        parameters: { filters: [{ name: 'browser', type: 'string', operator: 'eq', value: 'chrome' }], match: 'any' },
      },
      {
        ...{ segment_id: newId(), website_id: own, type: 'cohort', name: 'Buyers', ...stamps },
        parameters: { filters: [], dateRange: '30day', action: { type: 'event', value: 'buy' } },
      },
    ],
    link: [{ link_id: link, name: 'Sale', url: 'https://example.com/sale', slug: `s${mark}`, ...tracked }],
    pixel: [{ pixel_id: pixel, name: 'Mail', slug: `p${mark}`, ...tracked, user_id: null, team_id: team }],
    board: [
      {
        ...{ board_id: board, type: 'open', name: 'Board', description: 'd', ...tracked, user_id: null, team_id: team },
        parameters: { rows: [{ websiteId: own }, { websiteId: teams }, { entityType: 'pixel', entityId: pixel }] },
      },
    ],
    share: [
      share(own, 1, 'Ab', { overview: true, events: false, allowFilter: false, theme: 'dark' }),
      share(teams, 1, 'whole', {}),
      share(link, 2, 'link', {}),
      share(board, 4, 'board', { overview: true }),
    ],
    session_replay_saved: [{ saved_replay_id: newId(), name: 'A bug', website_id: own, visit_id: newId(), ...stamps }],
    annotation: [
      {
        annotation_id: newId(),
        website_id: own,
        user_id: ada,
        date: '2024-03-02 05:00:00+00',
        all_day: true,
        note: 'Release',
        ...stamps,
      },
    ],
    api_key: [
      {
        ...{ api_key_id: newId(), user_id: bob, name: 'Of before', key_prefix: key.slice(0, 14) },
        ...{ key_hash: createHash('sha512').update(key).digest('hex'), created_at: stamps.created_at },
      },
    ],
    two_factor_auth: [{ id: 'x', user_id: bob, secret: 's', is_enabled: true }],
    session_replay_view: [{ user_id: ada, website_id: own, visit_id: newId(), created_at: stamps.created_at }],
  }
  const ids = { ada, bob, gone, team, own, teams, deleted, link, pixel, board }
  return { mark, ids, key, isLater, tables }
}

export type Organisation = ReturnType<typeof newOrganisation>

const isText = (version: Version): boolean => version === '2.15' || version === '2.18'

/** A version's reports, in its own form. */
function reportRows(version: Version, website_id: string, user_id: string): object[] {
  const isOld = isText(version) || version === '2.20'
  const given: readonly (readonly [type: string, parameters: object])[] = isOld
    ? [
        [
          'funnel',
          {
            websiteId: website_id,
            window: '60',
            steps: [
              { type: 'url', value: '/a' },
              { type: 'event', value: 'buy' },
            ],
          },
        ],
        ['insights', { fields: [{ name: 'url', type: 'string', label: 'URL' }, { name: 'browser' }], filters: [] }],
        [
          'goals',
          {
            goals: [
              { type: 'url', value: '/thanks', goal: 10 },
              { type: 'event', value: 'buy', goal: 5 },
            ],
          },
        ],
        ['journey', { steps: 5, startStep: '/', endStep: '' }],
        ['attribution', { model: 'firstClick', steps: [{ type: 'url', value: '/a' }], currency: 'EUR' }],
        ['retention', { dateRange: { value: 'range:1:2' } }],
      ]
    : [
        [
          'funnel',
          {
            window: 60,
            steps: [
              { type: 'path', value: '/a' },
              { type: 'event', value: 'buy' },
            ],
          },
        ],
        ['breakdown', { fields: ['path', 'browser'] }],
        ['goal', { type: 'path', value: '/thanks' }],
        ['goal', { type: 'event', value: 'buy' }],
        ['journey', { steps: 5, startStep: '/' }],
        ['attribution', { model: 'first-click', type: 'path', step: '/a', currency: 'EUR' }],
        ['retention', { startDate: '2024-01-01' }],
      ]
  return given.map(([type, parameters]) => ({
    ...{ report_id: newId(), website_id, user_id, type, name: `The ${type}`, description: '', ...stamps },
    parameters: isText(version) ? JSON.stringify(parameters) : parameters,
  }))
}

/** Writes the rows into those tables that the version has. */
export async function writeOrganisation(client: pg.Client, { tables }: Pick<Organisation, 'tables'>): Promise<void> {
  const { rows } = await client.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
  const has = new Set(rows.map(({ table_name }) => table_name as string))
  for (const [table, own] of Object.entries(tables)) if (has.has(table)) await insertInto(client, table, own)
}
