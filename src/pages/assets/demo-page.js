/** The page `/demo`: sends events of the demo website, and shows them as they arrive. */
import { slug } from './demo.js'

/** @typedef {{ __type: string, eventName: string, urlPath: string, createdAt: string }} Newest */
/** @typedef {{ totals: Record<string, number>, events: Newest[] }} Live */

const wholeNumber = new Intl.NumberFormat()

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id))

/** @param {string} text */
const say = (text) => {
  byId('message').textContent = text
}

/** @param {Live} live */
function show({ totals, events }) {
  for (const cell of document.querySelectorAll('[data-name]')) {
    const number = totals[cell.getAttribute('data-name') ?? ''] ?? 0
    cell.textContent = wholeNumber.format(number)
  }
  const actions = events.filter(({ __type }) => __type !== 'session').slice(0, 8)
  const lines = actions.map(({ __type, eventName, urlPath, createdAt }) => {
    const line = document.createElement('li')
    const what = __type === 'event' ? `${eventName} on ${urlPath}` : `view of ${urlPath}`
    line.textContent = `${new Date(createdAt).toLocaleTimeString()}: ${what}`
    return line
  })
  byId('newest').replaceChildren(...lines)
  if (actions.some(({ urlPath }) => urlPath.startsWith('/demo'))) {
    say('Your events are here. Each takes up to four seconds.')
  }
}

/** @param {string} websiteId */
function begin(websiteId) {
  byId('tag').textContent = `<script defer src="${location.origin}/script.js" data-website-id="${websiteId}"></script>`
  byId('share').setAttribute('href', `/share/${slug}`)
  byId('replays').setAttribute('href', `/replays/${websiteId}`)
  byId('heatmap').setAttribute('href', `/heatmaps/${websiteId}`)
  let pages = 0
  byId('view').onclick = () => history.pushState(null, '', `/demo?page=${++pages}`)

  for (const src of ['/script.js', '/recorder.js']) {
    const tag = document.createElement('script')
    tag.src = src
    tag.dataset.websiteId = websiteId
    document.head.append(tag)
  }

  const live = new EventSource(`/api/realtime/${websiteId}?share=${slug}`)
  live.onmessage = ({ data }) => show(JSON.parse(data))
  live.onerror = () => {
    if (live.readyState === EventSource.CLOSED) say('The numbers can no longer be read. Reload this page.')
  }
}

/** Without a share, there is nothing to show. */
function end() {
  for (const part of document.querySelectorAll('[data-live]')) part.setAttribute('hidden', '')
  say('The demo website or its share was deleted.')
}

try {
  const response = await fetch(`/api/share/${slug}`)
  if (response.ok) begin((await response.json()).websiteId)
  else end()
} catch {
  say('The numbers cannot be fetched. Is Weir still running?')
}
