import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { keptFolder } from '../machine/kept-folder.ts'

/** The program of the engine's process: a file, and the arguments for Node. */
export interface Program {
  readonly file: string
  readonly execArgv: readonly string[]
}

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

/**
 * `main.ts`, bundled once into a JavaScript file that starts in half the time. If that file cannot be stored, `main.ts`
 * itself.
 */
export async function engineProgram(): Promise<Program> {
  const kept = await keptFolder('weir-engine', ['src/local', 'package-lock.json'], async (folder) => {
    const { build } = await import('esbuild')
    await build({ ...options, entryPoints: [main], outfile: `${folder}/main.mjs` })
  })
  if (kept !== undefined) return { file: `${kept}/main.mjs`, execArgv: [] }
  return { file: main, execArgv: ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] }
}

const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm' } as const
