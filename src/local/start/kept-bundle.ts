import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { root } from '../paths.ts'
import { bundle } from './bundle.ts'

/** The sources of the bundle and its pages. */
const sources = ['src', 'docs', 'wrangler.toml', 'tsconfig.json', 'package-lock.json']

/** Here lies each bundle, in a folder named by the hash of its sources. */
const cache = `${root}/node_modules/.cache/weir`

/** This many bundles stay, so a switch back to another branch finds its bundle. */
const most = 4

/**
 * Like `bundle`, but takes almost no time if the sources are those of a kept bundle. Keeps nothing if `node_modules`
 * cannot be written.
 */
export async function keptBundle(folder: string): Promise<void> {
  const kept = `${cache}/${hashOfSources()}`
  if (!existsSync(kept)) {
    if (!isWritable()) return void (await bundle(folder))
    await keep(kept)
  }
  mkdirSync(folder, { recursive: true })
  const made = `${folder}/${randomUUID()}`
  cpSync(kept, made, { recursive: true })
  rmSync(`${folder}/pages`, { recursive: true, force: true })
  for (const name of ['pages', 'worker.js']) renameSync(`${made}/${name}`, `${folder}/${name}`)
  rmSync(made, { recursive: true })
}

function isWritable(): boolean {
  try {
    mkdirSync(cache, { recursive: true })
    accessSync(cache, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Bundles into another folder, and renames it to `kept` in one step. */
async function keep(kept: string): Promise<void> {
  const beside = `${cache}/new-${randomUUID()}`
  mkdirSync(beside, { recursive: true })
  await bundle(beside)
  rmSync(`${beside}/logs`, { recursive: true, force: true })
  try {
    renameSync(beside, kept)
  } catch (error) {
    // Another process was faster.
    rmSync(beside, { recursive: true })
    if (!existsSync(kept)) throw error
  }
  const byAge = readdirSync(cache)
    .map((name) => `${cache}/${name}`)
    .sort((one, other) => changedAt(other) - changedAt(one))
  for (const old of byAge.slice(most)) rmSync(old, { recursive: true, force: true })
}

/** The time of a folder's last change; 0 if another process has just renamed or deleted it. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesIn(`${root}/${source}`)).sort()) {
    const content = readFileSync(file)
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

const filesIn = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`)
    : [path]
