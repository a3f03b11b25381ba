import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const onlyOwner = 0o700
const sticky = 0o1000

/**
 * Creates a folder, or changes an existing one, so that only its owner can enter. Warns if that fails. Throws if this
 * user cannot write there.
 */
export function makePrivate(folder: string): void {
  makeFolder(folder)
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  const { mode, uid } = statSync(folder)
  if ((mode & 0o777 & ~onlyOwner) === 0) return
  // A folder such as /tmp is shared on purpose.
  if (uid === process.getuid?.() && (mode & sticky) === 0) chmodSync(folder, onlyOwner)
  else console.error(`Other users of this machine may enter ${folder}, which contains passwords: use your own folder.`)
}

/** Creates a folder and its parents. Node's `recursive` never returns if the system answers ENOENT, as in /proc. */
function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: onlyOwner })
  } catch (error) {
    if (!existsSync(folder) || !statSync(folder).isDirectory()) throw error
  }
}

/**
 * Writes a file that only its owner can read, in one step. After a kill, a loss of power or on a full disk, the file is
 * the old or the new one.
 */
export function writeWhole(file: string, content: string | Uint8Array): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}

/** Writes a folder, with everything in it, from the system's memory to the disk. */
export async function flushFolder(folder: string): Promise<void> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) await flush(join(folder, name))
  await flush(folder)
}

/** Writes a file's content, or a folder's list of names, to the disk. Some file systems cannot do that for folders. */
export async function flush(path: string): Promise<void> {
  const opened = await open(path)
  try {
    await opened.sync()
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    await opened.close()
  }
}

/**
 * Writes a new file into a new temporary folder; only the owner can read both. Returns its path. Use it for texts that
 * must not be arguments of a command, because all users of a machine can see arguments.
 */
export function privateFile(name: string, text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'weir-')), name)
  writeFileSync(file, text, { mode: 0o600 })
  return file
}

/** Explains what to do with a file of SQL statements for D1. */
export const howToRun = 'Run the file with npx wrangler d1 execute weir --remote --file. Then delete it.'
