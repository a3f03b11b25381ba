import { sizeText } from './disk-usage.ts'
import { defaultDataDir } from './paths.ts'

/** What `npm start` has started. */
interface Ready {
  readonly url: string
  /** The URL of ClickHouse, for inserts; of a server in `CLICKHOUSE_URL`, without its password. */
  readonly clickhouse: string
  readonly isEmbedded: boolean
  readonly apiKey: string
  readonly dataDir: string
  /** The bytes of the data folder. */
  readonly size: number
  /** A website to ask and to send events to; null if there is none. */
  readonly websiteId: string | null
  /** Undefined where the users have passwords of their own. */
  readonly signIn: { readonly username: string; readonly password: string } | undefined
}

/** What `npm start` prints at the end. Each command in it works as it stands. */
export function greeting(ready: Ready, now: number): string {
  const { url, clickhouse, isEmbedded, apiKey, dataDir, size, websiteId, signIn } = ready
  const path = websiteId
    ? `/api/websites/${websiteId}/events/stats?startAt=${now - 30 * 86_400_000}&endAt=${now}`
    : '/api/websites'
  const data = `${dataDir} (${sizeText(size)} on disk${isEmbedded ? '' : '; the events lie in ClickHouse'})`
  return `
  Front page  ${url}/
  ClickHouse  ${clickhouse}
  API key     ${apiKey}
  Sign in as  ${signIn ? `${signIn.username}, password ${signIn.password}` : 'the users that were made here'}
  Data        ${data}

  Ask a question:
  curl -H 'Authorization: Bearer ${apiKey}' '${url}${path}'

  Send an event${isEmbedded ? '' : ', with the same CLICKHOUSE_URL'}:
  ${sendLine(dataDir, websiteId)}

  Ctrl-C stops everything.`
}

/** The command that sends an event to the website, or to a new one. */
function sendLine(dataDir: string, websiteId: string | null): string {
  const folder = dataDir === defaultDataDir ? '' : ` --data-dir ${quoted(dataDir)}`
  const made = `"$(npm run -s weir -- website create --name 'My website' --domain www.example.com${folder})"`
  return `npm run weir -- send --website ${websiteId ?? made} --name signup${folder}`
}

/** A word for a shell. */
const quoted = (word: string): string => (/^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
