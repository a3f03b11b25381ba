import { addressSlug } from '../../../endpoints/ids.ts'
import { linkUrl } from '../../../endpoints/links/links.ts'
import { ReplayConfig, replayDurations } from '../../../endpoints/websites/answer.ts'
import { hostOf } from '../../../endpoints/websites/websites.ts'
import { made } from '../../../made.ts'
import { searchOf } from '../../../metadata/websites.ts'
import type { SourceRow } from '../source.ts'
import { hasOthers, isTrue, objectIn, picked, stamps, textIn, timeIn } from './columns.ts'
import { type Known, leftOut, type Moved, one, type Said } from './thing.ts'

/** The owner: the team if it exists, otherwise the user, otherwise the operator. */
export function ownerIn(row: SourceRow, { users, teams }: Known) {
  const [team, user] = [row.team_id ?? '', row.user_id ?? '']
  const [team_id, isUsers] = [teams.has(team) ? team : null, users.has(user)]
  const user_id = team_id === null && isUsers ? user : null
  const isGone = (team !== '' || user !== '') && team_id === null && user_id === null
  const said: Said[] = isGone ? [{ remark: 'its owner is gone: the operator owns it', what: textIn(row, 'name') }] : []
  return { owner: { user_id, team_id }, said }
}

const isWanted = (id: string, { wanted }: Known): boolean => wanted === undefined || wanted.has(id)

/** A website. Unwanted ones are skipped silently. */
export function websiteOf(row: SourceRow, known: Known): Moved {
  const id = row.website_id!
  if (!isWanted(id, known)) return { things: [] }
  if (row.deleted_at !== null) return leftOut('it is deleted in Umami')
  const [name, domain] = [textIn(row, 'name'), hostOf(textIn(row, 'domain')).toLowerCase()]
  const { owner, said } = ownerIn(row, known)
  const { replay_config, saidOfReplays } = replaysOf(row, name)
  const values = {
    ...{ id, name, domain, search: searchOf(name, domain), ...owner, created_by: row.created_by ?? null },
    ...{ reset_at: timeIn(row, 'reset_at'), replay_config, ...stamps(row, known.now), kind: 'website' },
  }
  return one({ table: 'websites', values }, ...said, ...saidOfReplays)
}

/** The recorder settings. Invalid ones are replaced with the defaults. */
function replaysOf(row: SourceRow, name: string) {
  const given = objectIn(row, 'replay_config') ?? {}
  const fields = made(ReplayConfig) as unknown as { readonly shape: Readonly<Record<string, Schema>> }
  const sent = {
    ...given,
    replayEnabled: typeof given.replayEnabled === 'boolean' ? given.replayEnabled : isTrue(row, 'replay_enabled'),
    ...(typeof given.maxDuration === 'number' && {
      maxDuration: Math.round(Math.min(replayDurations.most, Math.max(replayDurations.least, given.maxDuration))),
    }),
  }
  const names = Object.keys(fields.shape)
  const taken = Object.fromEntries(
    Object.entries(picked(sent, names)).filter(([field, value]) => fields.shape[field]!.safeParse(value).success),
  )
  const isWhole = !hasOthers(sent, Object.keys(taken)) && taken.maxDuration === given.maxDuration
  const saidOfReplays: Said[] = isWhole ? [] : [{ remark: 'some recording settings are not imported', what: name }]
  const isOff = row.replay_config == null && !sent.replayEnabled
  return { replay_config: isOff ? null : JSON.stringify(taken), saidOfReplays }
}

interface Schema {
  safeParse(value: unknown): { readonly success: boolean }
}

/** A link or a pixel. As in Umami, a link does not pass query parameters on. */
export const linkOf =
  (kind: 'link' | 'pixel') =>
  (row: SourceRow, known: Known): Moved => {
    const [id, name, slug] = [row[`${kind}_id`]!, textIn(row, 'name'), textIn(row, 'slug')]
    const url = kind === 'link' ? textIn(row, 'url') : null
    if (!isWanted(id, known)) return { things: [] }
    if (row.deleted_at !== null) return leftOut('it is deleted in Umami')
    if (slug === '') return leftOut('it has no slug')
    if (!made(addressSlug).safeParse(slug).success) return leftOut('its slug is not valid in an address', slug)
    if (url !== null && !made(linkUrl).safeParse(url).success) {
      return leftOut('its target is not an http or https address', url)
    }
    const { owner, said } = ownerIn(row, known)
    const values = {
      ...{ id, name, domain: '', search: searchOf(name, url, slug), ...owner, created_by: owner.user_id },
      ...{ ...stamps(row, known.now), kind, slug, url, pass_query: 'none' },
    }
    return one({ table: 'websites', values }, ...said)
  }
