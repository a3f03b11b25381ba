import { readdirSync, writeFileSync } from 'node:fs'
import { channelLists } from '../channel-lists.ts'
import { root } from './paths.ts'
import { channelMigration } from './storage/channel-rules.ts'

/** Writes the migration of the lists of channels: a new file for a new number. */

const folder = `${root}/sql/events`
const names = readdirSync(folder).sort()
const ending = `_channels_${channelLists.number}.sql`
const next = String(Number(names.at(-1)!.slice(0, 4)) + 1).padStart(4, '0')
writeFileSync(`${folder}/${names.find((name) => name.endsWith(ending)) ?? next + ending}`, channelMigration)
