import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { build } from 'esbuild'
import { root } from '../paths.ts'
import { docsPages } from './docs-pages.ts'
import { world } from './world.ts'

const explorer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Makes the static files of the Worker in `folder`: its own pages, scripts, the API explorer, and the docs. */
export async function makePages(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const pages = readdirSync(`${root}/src/pages`).filter((name) => name.endsWith('.html'))
  for (const file of [...pages, 'assets']) cpSync(`${root}/src/pages/${file}`, `${folder}/${file}`, { recursive: true })
  writeFileSync(`${folder}/script.js`, await minified(`${root}/src/tracker/script.ts`))
  for (const page of bundledPages) await bundle(page, `${folder}/assets`)
  // The pages without code of their own have one style sheet.
  writeFileSync(`${folder}/assets/page.css`, await minified(`${root}/src/pages/styles/page.css`))
  writeFileSync(`${folder}/assets/parts.licences.txt`, licencesOf('preact', 'uplot', 'world-atlas'))
  writeFileSync(`${folder}/assets/world.json`, JSON.stringify(world()))
  await player(`${folder}/assets`)
  writeFileSync(`${folder}/recorder.js`, await minified(`${root}/src/recorder/script.ts`))
  const parts = '/* Holds @rrweb/record 2.1.6, MIT: /assets/rrweb.licence.txt */\n'
  writeFileSync(`${folder}/replay.js`, parts + (await minified(`${root}/src/recorder/replay.ts`, 'esm')))
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
    // The explorer's source maps are not copied, so references to them are removed.
    const text = readFileSync(`${explorer}/${file}`, 'utf8').replace(/\n\/[/*]# sourceMappingURL=.*\s*$/, '\n')
    writeFileSync(`${folder}/assets/${file}`, text)
  }
  for (const file of ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']) {
    cpSync(
      `${explorer}/${file}`,
      `${folder}/assets/swagger-ui.${file.replace(/^.*\.js\./, 'parts.').replace('.txt', '')}.txt`,
    )
  }
  for (const part of ['docs', 'docs/decisions']) mkdirSync(`${folder}/${part}`)
  cpSync(`${root}/docs/pictures`, `${folder}/docs/pictures`, { recursive: true })
  for (const [file, html] of await docsPages()) writeFileSync(`${folder}/docs/${file}`, html)
}

/** Bundles and minifies a file of TypeScript with its imports, for browsers since 2020. */
async function minified(path: string, format: 'iife' | 'esm' = 'iife'): Promise<string> {
  const how = { bundle: true, minify: true, format, target: 'es2020', legalComments: 'none', write: false } as const
  const { outputFiles } = await build({ entryPoints: [path], ...how })
  return outputFiles[0]!.text
}

/** The pages whose code is bundled. Each is a folder with an `index` and `styles/index.css`. */
const bundledPages = ['dashboard', 'recordings', 'websites', 'front', 'explorer'] as const

/** A page as one script and one style sheet of its name, and a script for each part that is loaded later. */
async function bundle(page: (typeof bundledPages)[number], folder: string): Promise<void> {
  const from = `${root}/src/pages/${page}`
  await build({
    entryPoints: [
      { in: `${from}/index`, out: page },
      { in: `${from}/styles/index.css`, out: page },
    ],
    ...{ outdir: folder, chunkNames: `${page}-[name]-[hash]`, bundle: true, minify: true, format: 'esm' },
    ...{ splitting: true, target: 'es2022', jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
    tsconfig: `${root}/src/pages/tsconfig.json`,
  })
}

/** The frame that plays replays, as `player.js` and `player.css`. */
async function player(folder: string): Promise<void> {
  const from = `${root}/src/pages/player`
  const parts =
    '/* Holds @rrweb/replay 2.1.6, MIT: /assets/rrweb.licence.txt; its parts: /assets/player.licences.txt */\n'
  writeFileSync(`${folder}/player.js`, parts + (await minified(`${from}/index.ts`)))
  writeFileSync(`${folder}/player.css`, await minified(`${from}/styles/index.css`))
  writeFileSync(`${folder}/player.licences.txt`, licencesOf('@xstate/fsm', 'mitt', 'nanoid', 'picocolors', 'postcss'))
}

/** The licences of packages whose code a file holds. */
function licencesOf(...packages: readonly string[]): string {
  const all = packages.map((name) => {
    const text = readFileSync(`${root}/node_modules/${name}/LICENSE`, 'utf8')
    return `${name}\n\n${text.trim()}\n`
  })
  return all.join('\n\n')
}
