import { root } from './paths.ts'
import { writeChannelMigration } from './storage/channel-rules.ts'

console.log(writeChannelMigration(`${root}/sql/events`))
