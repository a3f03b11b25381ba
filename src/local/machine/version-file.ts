import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { version } from '../../version.ts'
import { places, root } from '../paths.ts'
import { writeWhole } from './private-folder.ts'

/** The commit of this checkout, or of the image. Empty if it is unknown. */
function commit(): string {
  if (process.env.WEIR_COMMIT) return process.env.WEIR_COMMIT
  // An installed package may be below somebody else's checkout.
  if (!existsSync(`${root}/.git`)) return ''
  try {
    const printed = execFileSync('git', ['-c', 'safe.directory=*', 'rev-parse', '--short=12', 'HEAD'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return printed.toString().trim()
  } catch {
    return ''
  }
}

/** This version, with its commit if it is known: `1.0.0 594bbcd5f3a1`. */
export const thisVersion = (): string => `${version} ${commit()}`.trimEnd()

/** Records the running version in a data folder. */
export const noteVersion = (file: string): void => writeWhole(file, thisVersion())

/** Says which version last ran in a data folder, and how to get it. */
function versionNoted(file: string): string {
  const [name, made] = existsSync(file) ? readFileSync(file, 'utf8').split(' ') : []
  if (!name) return 'The version that created it did not record its name.'
  const get = made ? `git worktree add ../weir-${made} ${made}` : `git checkout v${name}`
  return `Weir ${name}${made ? ` (commit ${made})` : ''} ran there last. To get it: ${get}`
}

/** Thrown if another version created the tables. The message says where, and what to do. */
export class OtherVersion extends Error {}

/** Rethrows an error. If it is an `OtherVersion`, adds which version last ran in this data folder. */
export const namingVersion =
  (dataDir: string) =>
  (error: unknown): never => {
    throw error instanceof OtherVersion ? new Error(`${error.message} ${versionNoted(places(dataDir).version)}`) : error
  }
