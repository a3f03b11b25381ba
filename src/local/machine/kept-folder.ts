import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { relative } from 'node:path'
import { root } from '../paths.ts'

/** How many folders are kept for each name, so that a branch's folder still exists after switching away and back. */
const most = 4

/**
 * Returns a folder below `node_modules/.cache` that is created only once for the same sources. `sources` are files and
 * folders of the repository; an installed package lacks some of them. Returns undefined if `node_modules` is not
 * writable.
 */
export async function keptFolder(
  name: string,
  sources: readonly string[],
  make: (folder: string) => Promise<unknown>,
): Promise<string | undefined> {
  const cache = `${root}/node_modules/.cache/${name}`
  const kept = `${cache}/${hashOf(sources)}`
  if (existsSync(kept)) return kept
  if (!isWritable(cache)) return undefined
  await keep(cache, kept, make)
  return kept
}

function isWritable(cache: string): boolean {
  try {
    mkdirSync(cache, { recursive: true })
    accessSync(cache, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Creates a temporary folder, and then renames it to `kept` in one step. */
async function keep(cache: string, kept: string, make: (folder: string) => Promise<unknown>): Promise<void> {
  const beside = `${cache}/new-${randomUUID()}`
  mkdirSync(beside, { recursive: true })
  await make(beside)
  try {
    renameSync(beside, kept)
  } catch (error) {
    // Another process has created the folder in the meantime.
    rmSync(beside, { recursive: true, force: true })
    if (!existsSync(kept)) throw error
  }
  const byAge = readdirSync(cache)
    .map((entry) => `${cache}/${entry}`)
    .sort((one, other) => changedAt(other) - changedAt(one))
  for (const old of byAge.slice(most)) rmSync(old, { recursive: true, force: true })
}

/** The time of a folder's last change; 0 if another process has just renamed or deleted it. */
const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function hashOf(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of sources
    .map((source) => `${root}/${source}`)
    .filter(existsSync)
    .flatMap(filesIn)
    .sort()) {
    const content = readFileSync(file)
    // A checkout that was moved keeps its folders.
    hash.update(`${relative(root, file)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

const filesIn = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${entry.parentPath}/${entry.name}`)
    : [path]
