import type { Connection } from '../../clickhouse/server.ts'
import { defaultDataDir } from '../paths.ts'
import { scriptTag } from '../script-tag.ts'
import { urlOf } from '../storage/clickhouse.ts'
import { shellWord } from '../told/shell-word.ts'
import { weirCommand } from '../told/weir-command.ts'
import { sizeText } from './disk-usage.ts'

/** Facts about the running Weir that the greeting shows. */
interface Ready {
  readonly url: string
  /** The page of the demo website's share; null if there is none. */
  readonly share: string | null
  /** The page that sends events to the demo website; null if there is none. */
  readonly demo: string | null
  readonly clickhouse: Connection
  readonly isEmbedded: boolean
  readonly apiKey: string
  readonly dataDir: string
  /** The size of the data folder, in bytes. */
  readonly size: number
  /** A website for the greeting's commands; null if there is none. */
  readonly websiteId: string | null
  /** The generated sign-in; undefined if the users chose their own passwords. */
  readonly signIn: { readonly username: string; readonly password: string } | undefined
}

/** The last text that `npm start` prints. Its commands can be pasted into a shell. */
export function greeting(ready: Ready): string {
  const { url, share, demo, isEmbedded, apiKey, dataDir, size, websiteId, signIn } = ready
  const path = websiteId ? `/api/websites/${websiteId}/events/stats?period=last_30_days` : '/api/websites'
  const data = `${dataDir} (${sizeText(size)} on disk${isEmbedded ? '' : '; the events are in ClickHouse'})`
  return `${share ? `\n  Look at the demo website:\n  ${share}\n` : ''}${demo ? `\n  See your own visit arrive there:\n  ${demo}\n` : ''}
  Front page  ${url}/
  Websites    ${url}/websites
              sign in as ${signIn ? `${signIn.username}, password ${signIn.password}` : 'a user of this data folder'}
  Explorer    ${url}/explorer
  Data        ${data}

  Set the key, the website and ClickHouse in a shell, for the commands of the README:
  ${exportLine(ready)}

  Ask a question:
  curl -H 'Authorization: Bearer ${apiKey}' '${url}${path}'

${websiteId ? `  To count the visits to a page, add this tag to it:\n  ${scriptTag(url, websiteId)}\n\n` : ''}  Send an event${isEmbedded ? '' : ', with the same CLICKHOUSE_URL'}:
  ${sendLine(dataDir, websiteId)}

  Ctrl-C stops everything.`
}

/**
 * The text that `weir serve` prints once it answers. Without a user, nobody can sign in, and Weir does not create one
 * automatically.
 */
export const servingLines = (url: string, dataDir: string, hasUsers: boolean): string =>
  `Weir answers at ${url}${
    hasUsers
      ? ''
      : `\nThere is no user yet. Create the first one: ` +
        `${weirCommand} user create --username YOUR_NAME --role admin${folderFlag(dataDir)}`
  }`

/** The flag for the data folder; empty for the default folder. */
const folderFlag = (dataDir: string): string => (dataDir === defaultDataDir ? '' : ` --data-dir ${shellWord(dataDir)}`)

/** The command after which the README's commands work unchanged. It hides the password that `CLICKHOUSE_URL` has. */
function exportLine({ apiKey, websiteId, clickhouse, isEmbedded }: Ready): string {
  const password = isEmbedded || clickhouse.password === '' ? clickhouse.password : 'YOUR_PASSWORD'
  const url = shellWord(urlOf({ ...clickhouse, password }))
  return `export KEY=${apiKey} ${websiteId ? `WEBSITE=${websiteId} ` : ''}CLICKHOUSE=${url}`
}

/** The command that sends an event to the website; without a website, first creates one. */
function sendLine(dataDir: string, websiteId: string | null): string {
  const folder = folderFlag(dataDir)
  const made = `"$(npm run -s weir -- website create --name 'My website' --domain www.example.com${folder})"`
  return `${weirCommand} send --website ${websiteId ?? made} --name signup${folder}`
}
