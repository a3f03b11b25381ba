import { randomUUID } from 'node:crypto'
import { accessSync, constants, cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { keptFolder } from '../machine/kept-folder.ts'
import { root } from '../paths.ts'
import { bundle } from './bundle.ts'

/** The sources of the bundle and its pages. */
const sources = ['src', 'docs', 'wrangler.toml', 'tsconfig.json', 'package-lock.json']

/**
 * Like `bundle`, but reuses a kept bundle of the same sources, which takes almost no time. Keeps nothing if
 * `node_modules` is not writable. Throws an Error if there is no kept bundle and none can be made.
 */
export async function keptBundle(folder: string): Promise<void> {
  const kept = await keptFolder('weir', sources, async (made) => {
    await bundle(made)
    rmSync(`${made}/logs`, { recursive: true, force: true })
  })
  if (kept === undefined) {
    refuseUnwritable()
    return void (await bundle(folder))
  }
  mkdirSync(folder, { recursive: true })
  const made = `${folder}/${randomUUID()}`
  cpSync(kept, made, { recursive: true })
  rmSync(`${folder}/pages`, { recursive: true, force: true })
  for (const name of ['pages', 'worker.js']) renameSync(`${made}/${name}`, `${folder}/${name}`)
  rmSync(made, { recursive: true })
}

/** wrangler writes into the folder of its configuration. */
function refuseUnwritable(): void {
  try {
    accessSync(root, constants.W_OK)
  } catch {
    throw new Error(`This user cannot write to ${root}. Let its owner bundle Weir once: npm run bundle`)
  }
}
