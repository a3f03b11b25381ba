import { createHash } from 'node:crypto'
import { sections } from '../../../access/opening.ts'
import { namedIds } from '../../../endpoints/boards/board.ts'
import { boardTypes } from '../../../metadata/boards.ts'
import { shareTypes } from '../../../metadata/shares.ts'
import type { SourceRow } from '../source.ts'
import { hasOthers, objectIn, stamps, textIn } from './columns.ts'
import { type Known, leftOut, type Moved, one, type Put, type Said, withoutWebsite } from './thing.ts'
import { ownerIn } from './websites.ts'

/** An id derived from a text. It is the same in every run. */
export const idFrom = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-a$4-$5')

const shared = Object.keys(shareTypes) as (keyof typeof shareTypes)[]

/** A share. It keeps its slug. */
export function shareOf(row: SourceRow, known: Known): Moved {
  const kind = shared.find((one) => String(shareTypes[one]) === row.share_type)
  const [id, given] = [row.entity_id ?? '', objectIn(row, 'parameters')]
  if (kind === undefined) return leftOut('its type is unknown', row.share_type ?? 'none')
  const isHere = kind === 'board' ? known.boards.has(id) : known.websites.get(id)?.kind === kind
  if (!isHere) return withoutWebsite(known)
  if (row.slug === null || row.slug === '') return leftOut('it has no slug')
  if (given === undefined) return leftOut('its parameters are not supported')
  const { parameters, isWhole } = parametersOf(given, kind)
  const said: Said[] = isWhole ? [] : [{ remark: 'some parameters are not imported', what: `share ${row.slug}` }]
  return one(
    sharePut(row, { id: row.share_id!, entity: id, kind, slug: textIn(row, 'slug') }, parameters, known),
    ...said,
  )
}

/** A website's share in versions before 3.1. It shows the same sections as after Umami's own upgrade. */
export function shareInWebsite(row: SourceRow, known: Known): Moved {
  const [entity, slug] = [row.website_id!, textIn(row, 'share_id')]
  if (slug === '' || !known.websites.has(entity)) return { things: [] }
  const named = { id: idFrom(`share of ${entity}`), entity, kind: 'website', slug } as const
  return one(sharePut(row, named, { overview: true }, known))
}

interface Named {
  readonly id: string
  readonly entity: string
  readonly kind: keyof typeof shareTypes
  readonly slug: string
}

function sharePut(row: SourceRow, { id, entity, kind, slug }: Named, parameters: object, { now }: Known): Put {
  const name = textIn(row, 'name')
  const values = {
    ...{ id, website_id: entity, name, search: name.toLowerCase(), slug, parameters: JSON.stringify(parameters) },
    ...{ ...stamps(row, now), share_type: shareTypes[kind] },
  }
  return { table: 'shares', values }
}

/** In Umami, a share without listed sections shows all sections. In Weir, a website's share must list each section. */
function parametersOf(given: Readonly<Record<string, unknown>>, kind: keyof typeof shareTypes) {
  const flags = sections.filter((name) => typeof given[name] === 'boolean')
  const opened = flags.map((name) => [name, given[name]])
  const isOpen = flags.length === 0 && kind === 'website'
  const parameters = {
    ...Object.fromEntries(isOpen ? sections.map((name) => [name, true]) : opened),
    ...(typeof given.allowFilter === 'boolean' && { allowFilter: given.allowFilter }),
    ...((given.theme === 'light' || given.theme === 'dark') && { theme: given.theme }),
  }
  return { parameters, isWhole: !hasOthers(given, [...flags, ...Object.keys(parameters)]) }
}

/** A board with the websites, links and pixels that it refers to. Unknown ones are left out. */
export function boardOf(row: SourceRow, known: Known): Moved {
  const given = objectIn(row, 'parameters')
  if (given === undefined) return leftOut('its parameters are not supported')
  const [id, name, description] = [row.board_id!, textIn(row, 'name'), textIn(row, 'description')]
  const { owner, said } = ownerIn(row, known)
  const values = {
    ...{ id, type: boardType(textIn(row, 'type'), given), name, name_key: name.toLowerCase() },
    ...{ description, description_key: description.toLowerCase(), parameters: JSON.stringify(given) },
    ...{ ...owner, ...stamps(row, known.now) },
  }
  const { also, isWhole } = subjectsOf(id, given, owner, known)
  const named: Said[] = isWhole ? [] : [{ remark: 'refers to objects that do not exist here', what: `board ${name}` }]
  return { things: [{ put: { table: 'boards', values }, also }], said: [...said, ...named] }
}

/** Uses the type if it is known; otherwise derives it from the parameters. */
function boardType(type: string, parameters: Readonly<Record<string, unknown>>): string {
  if ((boardTypes as readonly string[]).includes(type)) return type
  return (['pixel', 'link', 'website'] as const).find((kind) => parameters[`${kind}Id`]) ?? 'mixed'
}

/**
 * The subjects of a board. Each counts as added by its own owner, if that is the board's owner or a member of its team.
 */
function subjectsOf(
  board_id: string,
  parameters: object,
  { user_id, team_id }: { readonly user_id: string | null; readonly team_id: string | null },
  { websites, members }: Known,
) {
  const named = namedIds(parameters)
  const also = new Map<string, Put>()
  for (const { kind, value } of named) {
    const website = websites.get(String(value).toLowerCase())
    if (!website || (kind !== 'website' && kind !== website.kind)) continue
    const subject_id = String(value).toLowerCase()
    const owner = website.userId
    const isPutter = owner !== null && (owner === user_id || members.has(`${team_id} ${owner}`))
    const values = { board_id, subject_id, kind, put_by: isPutter ? owner : null }
    also.set(`${kind} ${subject_id}`, { table: 'board_subjects', values })
  }
  const isWhole = named.every(({ value }) => websites.has(String(value).toLowerCase()))
  return { also: [...also.values()], isWhole }
}
