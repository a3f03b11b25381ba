import { readdirSync, readFileSync } from 'node:fs'

/** All files below a folder. Files and folders may disappear in the meantime, because ClickHouse merges parts. */
export function* contents(folder: string): Generator<readonly [path: string, content: Buffer]> {
  for (const entry of unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* contents(path)
    const content = entry.isFile() ? unlessGone(() => readFileSync(path)) : undefined
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
