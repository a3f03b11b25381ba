import { spawn } from 'node:child_process'
import { relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { root, wranglerBinary } from '../paths.ts'
import { printable } from '../told/printable.ts'
import { shellWord } from '../told/shell-word.ts'
import type { Settings } from './settings.ts'

/** A wrangler command: the words after `wrangler`. */
export type Words = readonly string[]

interface Around {
  /** The text for its stdin. Secrets must not be arguments, because all users of a machine can see those. */
  readonly input?: string
  /** Additional environment variables. */
  readonly env?: NodeJS.ProcessEnv
  /** Whether the command may ask the person at the terminal. If so, its output is not returned. */
  readonly asks?: boolean
}

/** The wrangler of this checkout. */
export interface Wrangler {
  /** The command line, as a person would type it. */
  line(words: Words): string
  /** Runs the command and returns its output. If it fails, throws an error with the end of the output. */
  run(words: Words, around?: Around): Promise<string>
}

/** `say` prints each command before it runs. `configuration` is the file for `--config`. */
export function wranglerOf(settings: Settings, configuration: string, say: (line: string) => void): Wrangler {
  const inside = relative(root, configuration)
  const shown = inside.startsWith('..') ? configuration : inside
  const line = (words: Words): string => ['npx', 'wrangler', ...words, '--config', shown].map(shellWord).join(' ')
  const ofCloudflare = Object.fromEntries(
    ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_API_BASE_URL'].flatMap((name) =>
      settings.get(name) ? [[name, settings.get(name)]] : [],
    ),
  )
  return {
    line,
    async run(words, { input, env, asks = false } = {}) {
      say(`$ ${line(words)}${input === undefined ? '' : ' < (the secrets, as JSON)'}`)
      const child = spawn(process.execPath, [wranglerBinary, ...words, '--config', configuration], {
        cwd: root,
        env: { ...process.env, ...ofCloudflare, WRANGLER_SEND_METRICS: 'false', FORCE_COLOR: '0', ...env },
        // Programs may read our stdout, so a wrangler that asks prints to stderr.
        stdio: asks ? ['inherit', 2, 2] : 'pipe',
      })
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
      const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
      const said = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
      const [code, [out, err]] = await Promise.all([ended, said])
      if (code !== 0) throw new Error(`${line(words)} failed.\n${endOf(`${out}\n${err}`)}`)
      return out!
    },
  }
}

/** The last lines of an output, without decoration. */
const endOf = (output: string): string =>
  stripVTControlCharacters(output)
    .split('\n')
    .map((one) => printable(one).trim())
    .filter((one) => one !== '' && !/^(🪵|⛅|─)/u.test(one))
    .slice(-12)
    .join('\n')
