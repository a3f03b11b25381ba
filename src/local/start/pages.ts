import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'
import { build } from 'esbuild'
import { fileOfPackage, root } from '../paths.ts'
import { docsPages } from './docs-pages.ts'
import { world } from './world.ts'

const explorer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Creates the Worker's static files in `folder`: its own pages, scripts, the API explorer and the docs. */
export async function makePages(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  cpSync(`${root}/src/pages/assets`, `${folder}/assets`, { recursive: true })
  writeFileSync(`${folder}/script.js`, await minified(`${root}/src/tracker/script.ts`))
  writeFileSync(`${folder}/more.js`, await minified(`${root}/src/tracker/more.ts`, 'esm'))
  const bundles = await Promise.all(bundledPages.map((page) => bundle(page, `${folder}/assets`)))
  const files = new Map(bundles.flatMap((bundled) => [...bundled]))
  for (const page of readdirSync(`${root}/src/pages`).filter((name) => name.endsWith('.html'))) {
    writeFileSync(`${folder}/${page}`, withFiles(readFileSync(`${root}/src/pages/${page}`, 'utf8'), files))
  }
  // The pages without their own code share one style sheet.
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

/** Bundles and minifies a TypeScript file with its imports, for browsers since 2020. */
async function minified(path: string, format: 'iife' | 'esm' = 'iife'): Promise<string> {
  const how = { bundle: true, minify: true, format, target: 'es2020', legalComments: 'none', write: false } as const
  const { outputFiles } = await build({ entryPoints: [path], ...how })
  return outputFiles[0]!.text
}

/** The pages whose code is bundled. Each is a folder with an `index` and `styles/index.css`; some have a `first.ts`. */
const bundledPages = ['dashboard', 'recordings', 'websites', 'front', 'explorer'] as const

/** A file of a bundle and the files that it imports statically. All names are relative to `assets`. */
interface Bundled {
  readonly name: string
  readonly needs: readonly string[]
}

/**
 * Bundles a page into one script and one style sheet, with a separate script for each part that is loaded later. A
 * page's script `first` runs before the others. Returns the files that the page refers to, by the names used there. The
 * real names change with the contents, so that browsers can cache the files.
 */
async function bundle(page: (typeof bundledPages)[number], folder: string): Promise<ReadonlyMap<string, Bundled>> {
  const from = `${root}/src/pages/${page}`
  const entries = { [page]: `${from}/index`, [`${page}-first`]: `${from}/first.ts` }
  const scripts = Object.entries(entries).filter(([, path]) => !path.endsWith('.ts') || existsSync(path))
  const { metafile } = await build({
    entryPoints: [...scripts, [page, `${from}/styles/index.css`]].map(([out, path]) => ({ in: path!, out: out! })),
    ...{ outdir: folder, entryNames: '[name]-[hash]', chunkNames: `${page}-[name]-[hash]`, metafile: true },
    ...{ bundle: true, minify: true, format: 'esm', splitting: true, target: 'es2022', legalComments: 'none' },
    ...{ jsx: 'automatic', jsxImportSource: 'preact', tsconfig: `${root}/src/pages/tsconfig.json` },
    // An installed package has no npm workspaces.
    alias: { '@weir/client': `${root}/src/client/index.js` },
  })
  return new Map(
    Object.entries(metafile.outputs).flatMap(([path, { entryPoint, imports }]) => {
      const name = basename(path)
      const needs = imports.filter(({ kind }) => kind === 'import-statement').map((one) => basename(one.path))
      return entryPoint === undefined ? [] : [[name.replace(/-[^-]*(?=\.\w+$)/, ''), { name, needs }] as const]
    }),
  )
}

/** A page with the real names of its files. It also preloads the imports of its scripts. */
function withFiles(html: string, files: ReadonlyMap<string, Bundled>): string {
  const scripts = [...html.matchAll(/<script src="\/assets\/([^"]+)"/g)].flatMap(([, name]) => files.get(name!) ?? [])
  const needed = [...new Set(scripts.flatMap(({ needs }) => needs))]
  const preloads = needed.map((name) => `<link rel="modulepreload" href="/assets/${name}" />\n    `)
  return html
    .replace(/(?=<script src=)/, preloads.join(''))
    .replace(/(?<="\/assets\/)[^"]+/g, (name) => files.get(name)?.name ?? name)
}

/** Builds the frame that plays replays: `player.js` and `player.css`. */
async function player(folder: string): Promise<void> {
  const from = `${root}/src/pages/player`
  const parts =
    '/* Holds @rrweb/replay 2.1.6, MIT: /assets/rrweb.licence.txt; its parts: /assets/player.licences.txt */\n'
  writeFileSync(`${folder}/player.js`, parts + (await minified(`${from}/index.ts`)))
  writeFileSync(`${folder}/player.css`, await minified(`${from}/styles/index.css`))
  writeFileSync(`${folder}/player.licences.txt`, licencesOf('@xstate/fsm', 'mitt', 'nanoid', 'picocolors', 'postcss'))
}

/** The licences of the packages bundled into a file. */
function licencesOf(...packages: readonly string[]): string {
  const all = packages.map((name) => {
    const text = readFileSync(fileOfPackage(`${name}/LICENSE`), 'utf8')
    return `${name}\n\n${text.trim()}\n`
  })
  return all.join('\n\n')
}
