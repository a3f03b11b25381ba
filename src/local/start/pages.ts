import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { build } from 'esbuild'
import { Marked } from 'marked'
import { root } from '../paths.ts'
import { world } from './world.ts'

const explorer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Makes the static files of the Worker in `folder`: its own pages, scripts, the API explorer, and the docs. */
export async function makePages(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const pages = readdirSync(`${root}/src/pages`).filter((name) => name.endsWith('.html'))
  for (const file of [...pages, 'assets']) cpSync(`${root}/src/pages/${file}`, `${folder}/${file}`, { recursive: true })
  writeFileSync(`${folder}/script.js`, await minified(`${root}/src/tracker/script.ts`))
  for (const page of bundledPages) await bundle(page, `${folder}/assets`)
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
  for (const part of ['docs', 'docs/decisions']) {
    mkdirSync(`${folder}/${part}`)
    for (const file of readdirSync(`${root}/${part}`).filter((name) => name.endsWith('.md'))) {
      const markdown = readFileSync(`${root}/${part}/${file}`, 'utf8')
      writeFileSync(`${folder}/${part}/${file}`, await pageOf(markdown))
    }
  }
}

/** Bundles and minifies a file of TypeScript with its imports, for browsers since 2020. */
async function minified(path: string, format: 'iife' | 'esm' = 'iife'): Promise<string> {
  const how = { bundle: true, minify: true, format, target: 'es2020', legalComments: 'none', write: false } as const
  const { outputFiles } = await build({ entryPoints: [path], ...how })
  return outputFiles[0]!.text
}

/** The pages whose code is bundled. Each is a folder with `index.tsx` and `styles/index.css`. */
const bundledPages = ['dashboard', 'recordings', 'websites'] as const

/** A page as one script and one style sheet of its name, and a script for each part that is loaded later. */
async function bundle(page: (typeof bundledPages)[number], folder: string): Promise<void> {
  const from = `${root}/src/pages/${page}`
  await build({
    entryPoints: [
      { in: `${from}/index.tsx`, out: page },
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

/** A page of docs as HTML. It keeps its file name, so links between pages work. */
async function pageOf(markdown: string): Promise<string> {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? 'Weir'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/page.css">
</head>
<body>
<main>
<p><a href="/">Weir</a></p>
${inScrollers(await marked.parse(markdown))}</main>
</body>
</html>
`
}

/** Tables are often wider than a phone: each scrolls by itself. */
const inScrollers = (html: string): string =>
  html.replaceAll('<table>', '<div class="scrolls" tabindex="0"><table>').replaceAll('</table>', '</table></div>')

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    // Files outside docs are only in the repository: links to them become plain text.
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      const isPage = /^(?:https?:|#|[\w./-]+\.md(?:#|$))/.test(href) && !/\.\.\/[A-Z]/.test(href)
      return isPage ? `<a href="${escaped(href)}">${text}</a>` : text
    },
  },
})

/** The id of a heading: `what-a-writer-has-to-know` for `## What a writer has to know`. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
