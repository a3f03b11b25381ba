import { readdirSync, readFileSync, statSync } from 'node:fs'

/**
 * The files below a folder that were written since this moment, in milliseconds since 1970. Files and folders may
 * disappear in the meantime, because ClickHouse merges parts.
 */
export function* contents(folder: string, since: number): Generator<readonly [path: string, content: Buffer]> {
  for (const entry of unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* contents(path, since)
    const isNew = entry.isFile() && (unlessGone(() => statSync(path))?.mtimeMs ?? 0) >= since
    const content = isNew ? unlessGone(() => readFileSync(path)) : undefined
    if (content) yield [path, content]
  }
}

function unlessGone<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
}
