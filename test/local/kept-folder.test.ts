import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Keeps a folder for the sources `src`, and prints whether it had to be created. */
const script = `
  import { keptFolder } from './src/local/machine/kept-folder.ts'
  let made = false
  await keptFolder('test', ['src'], async () => { made = true })
  console.log(made)`

it('a kept folder is found after its checkout was moved, and created again after a source changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-kept-'))
  try {
    const [before, after] = [join(folder, 'weir-2'), join(folder, 'weir')]
    mkdirSync(join(before, 'node_modules'), { recursive: true })
    writeFileSync(join(before, 'package.json'), '{"type":"module"}')
    for (const file of ['machine/kept-folder.ts', 'paths.ts']) {
      cpSync(join('src/local', file), join(before, 'src/local', file))
    }
    const isMade = (checkout: string) => {
      const options = { cwd: checkout, encoding: 'utf8' as const }
      const flags = ['--import', import.meta.resolve('tsx'), '--input-type=module']
      return JSON.parse(execFileSync(process.execPath, [...flags, '-e', script], options))
    }
    expect([isMade(before), isMade(before)]).toEqual([true, false])
    renameSync(before, after)
    expect(isMade(after)).toBe(false)
    writeFileSync(join(after, 'src/more.ts'), '')
    expect(isMade(after)).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
