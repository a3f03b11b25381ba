import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const onlyOwner = 0o700
const sticky = 0o1000

/**
 * Makes a folder, or changes an existing one, so that only its owner can enter. Warns if that fails. Throws if this
 * user cannot write there.
 */
export function makePrivate(folder: string): void {
  makeFolder(folder)
  accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  const { mode, uid } = statSync(folder)
  if ((mode & 0o777 & ~onlyOwner) === 0) return
  // A folder such as /tmp is shared on purpose.
  if (uid === process.getuid?.() && (mode & sticky) === 0) chmodSync(folder, onlyOwner)
  else console.error(`Others on this machine may enter ${folder}, which holds passwords: use a folder of your own.`)
}

/** Makes a folder and its parents. Node's `recursive` never returns if the system answers ENOENT, as in /proc. */
function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: onlyOwner })
  } catch (error) {
    if (!existsSync(folder) || !statSync(folder).isDirectory()) throw error
  }
}
