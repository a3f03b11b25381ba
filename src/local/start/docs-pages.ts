import { readdirSync, readFileSync } from 'node:fs'
import { Marked } from 'marked'
import { root } from '../paths.ts'

/** The menu's pages, grouped by purpose. All other pages follow under the last heading. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Begin: ['api', 'what-is-counted'],
  Collect: ['collection', 'writing', 'tracker', 'recordings', 'recorder', 'privacy'],
  Use: ['access', 'pages', 'batch', 'export', 'cache', 'client', 'mcp', 'dashboard'],
  Run: [
    'commands',
    'one-server',
    'deployment',
    'operations',
    'repair',
    'limits',
    'clickhouse-users',
    'replicas',
    'clusters',
    'SECURITY',
  ],
  Change: [
    'CONTRIBUTING',
    'request-path',
    'storage',
    'chains',
    'tests',
    'local-engine',
    'benchmarks',
    'decisions/README',
  ],
}

interface Heading {
  readonly depth: number
  readonly id: string
  readonly html: string
}

/** The files below `docs` as HTML, by path: `decisions/0005-access.md`. They keep their names, so links work. */
export async function docsPages(): Promise<ReadonlyMap<string, string>> {
  const files = ['', 'decisions/'].flatMap((folder) =>
    readdirSync(`${root}/docs/${folder}`)
      .filter((name) => name.endsWith('.md'))
      .map((name) => folder + name),
  )
  const texts = new Map(files.map((file) => [file, readFileSync(`${root}/docs/${file}`, 'utf8')]))
  const titles = new Map([...texts].map(([file, text]) => [file, titleOf(text)]))
  const pages = await Promise.all(
    [...texts].map(async ([file, text]) => [file, await pageOf(file, text, titles)] as const),
  )
  return new Map(pages)
}

const titleOf = (markdown: string): string => /^# (.*)$/m.exec(markdown)?.[1] ?? 'Weir'

async function pageOf(file: string, markdown: string, titles: ReadonlyMap<string, string>): Promise<string> {
  const { html, headings } = await rendered(markdown)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(titleOf(markdown))} · Weir</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/page.css">
</head>
<body>
<header class="bar">
<nav aria-label="Weir"><a class="brand" href="/">Weir</a> <a href="/websites">Websites</a> <a href="/explorer">Explorer</a> <a href="/docs/api.md">Docs</a></nav>
<nav class="jumps" aria-label="Menus"><a href="#menu">All pages</a>${headings.length > 0 ? ' <a href="#contents">On this page</a>' : ''}</nav>
</header>
<div class="docs">
<main class="text">
${html}</main>
${contentsOf(headings)}${menuFor(file, titles)}</div>
</body>
</html>
`
}

/** The headings of the page. */
function contentsOf(headings: readonly Heading[]): string {
  if (headings.length === 0) return ''
  const items = headings.map(({ depth, id, html }) => `<li class="depth-${depth}"><a href="#${id}">${html}</a></li>`)
  return `<nav id="contents" class="side" aria-label="On this page"><h2>On this page</h2><ul>\n${items.join('\n')}\n</ul></nav>\n`
}

/** A menu of all pages except the decisions, which have their own list. */
function menuFor(file: string, titles: ReadonlyMap<string, string>): string {
  const own = file.startsWith('decisions/') ? 'decisions/README.md' : file
  const named = new Set(Object.values(groups).flat())
  const others = [...titles.keys()].map((one) => one.replace('.md', '')).filter((one) => !named.has(one))
  const more = others.filter((one) => !one.includes('/'))
  const lists = Object.entries({ ...groups, ...(more.length > 0 && { More: more }) }).map(([group, pages]) => {
    const items = pages.map((page) => {
      const path = `${page}.md`
      const current = path === own ? ' aria-current="page"' : ''
      return `<li><a href="/docs/${path}"${current}>${escaped(titles.get(path)!)}</a></li>`
    })
    return `<h3>${group}</h3><ul>\n${items.join('\n')}\n</ul>`
  })
  return `<nav id="menu" class="side" aria-label="All pages"><h2>All pages</h2>\n${lists.join('\n')}\n</nav>\n`
}

/** The HTML of a text, and its headings below the page title. */
async function rendered(markdown: string): Promise<{ html: string; headings: readonly Heading[] }> {
  const headings: Heading[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const [id, html] = [idOf(text), this.parser.parseInline(tokens)]
        if (depth === 2 || depth === 3) headings.push({ depth, id, html: html.replace(/<\/?a\b[^>]*>/g, '') })
        return `<h${depth} id="${id}">${html}</h${depth}>\n`
      },
      // Files outside docs exist only in the repository, so links to them become plain text.
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const isPage = /^(?:https?:|#|[\w./-]+\.md(?:#|$))/.test(href) && !/\.\.\/[A-Z]/.test(href)
        return isPage ? `<a href="${escaped(href)}">${text}</a>` : text
      },
    },
  })
  return { html: inScrollers(await marked.parse(markdown)), headings }
}

/** Tables and code are often wider than a phone. Each can be scrolled separately, even with the keyboard. */
const inScrollers = (html: string): string =>
  html
    .replaceAll('<table>', '<div class="scrolls" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">')

/** The id of a heading: `what-a-writer-has-to-know` for `## What a writer has to know`. */
const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
