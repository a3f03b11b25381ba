/** The page of a share's link: numbers, a chart and lists, as far as the share opens them. */

/** @typedef {{ shareType: number, websiteId?: string, linkId?: string, pixelId?: string, boardId?: string,
 *   websiteIds?: string[], linkIds?: string[], pixelIds?: string[], parameters: { theme?: string },
 *   sections: string[], expiresAt: string | null, token: string }} Share */
/** @typedef {{ kind: 'website' | 'link' | 'pixel', id: string }} Subject */
/** @typedef {{ path: string, status: number, body: any }} Answer */
/** @typedef {{ startAt: Date, endAt: Date, unit: 'hour' | 'day' | 'month' }} Period */

const slug = decodeURIComponent(location.pathname.slice('/share/'.length))
const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
const wholeNumber = new Intl.NumberFormat()

/** The page shows this many websites, links and pixels of a board at a time. */
const shownAtOnce = 10

/** The reason why the page cannot show numbers, for its reader. */
class Refusal extends Error {}

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id))

/**
 * Makes an element. Texts become text, never markup.
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {readonly (Node | string)[]} [children]
 */
function element(name, attributes = {}, children = []) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/** @param {Response} response */
function refusalOf(response) {
  const seconds = response.headers.get('retry-after') ?? '60'
  if (response.status === 429) return new Refusal(`There were too many requests. Try again in ${seconds} seconds.`)
  if (response.status === 403) return new Refusal('This link may not be opened from this site.')
  if (response.status < 500) return new Refusal('This link no longer opens anything. Ask its owner for a new one.')
  return new Refusal('The numbers cannot be read right now. Try again in a minute.')
}

/** @returns {Promise<Share>} */
async function openShare() {
  const response = await fetch(`/api/share/${encodeURIComponent(slug)}`)
  if (!response.ok) throw refusalOf(response)
  return response.json()
}

/**
 * Reads several paths in one round trip.
 * @param {Share} share
 * @param {readonly string[]} paths
 * @returns {Promise<Answer[]>}
 */
async function read({ token }, paths) {
  const response = await fetch('/api/read', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-weir-share-token': token },
    body: JSON.stringify({ paths }),
  })
  if (!response.ok) throw refusalOf(response)
  const { answers } = await response.json()
  const failed = answers.find((/** @type {Answer} */ { status }) => status !== 200 && status !== 403 && status !== 404)
  if (failed) throw refusalOf(new Response(null, { status: failed.status, headers: failed.headers }))
  return answers
}

/** @param {Share} share @returns {Subject[]} */
function subjectsOf({ websiteId, linkId, pixelId, boardId, websiteIds = [], linkIds = [], pixelIds = [] }) {
  /** @param {Subject['kind']} kind */
  const as = (kind) => (/** @type {string} */ id) => ({ kind, id })
  if (boardId) return [...websiteIds.map(as('website')), ...linkIds.map(as('link')), ...pixelIds.map(as('pixel'))]
  if (linkId) return [{ kind: 'link', id: linkId }]
  if (pixelId) return [{ kind: 'pixel', id: pixelId }]
  return websiteId ? [{ kind: 'website', id: websiteId }] : []
}

/** @returns {Period} */
function chosenPeriod() {
  const endAt = new Date()
  const startAt = new Date(endAt)
  const choice = /** @type {HTMLSelectElement} */ (byId('period')).value
  if (choice === 'day') {
    startAt.setHours(startAt.getHours() - 23, 0, 0, 0)
    return { startAt, endAt, unit: 'hour' }
  }
  startAt.setHours(0, 0, 0, 0)
  if (choice === 'year') {
    startAt.setMonth(startAt.getMonth() - 11, 1)
    return { startAt, endAt, unit: 'month' }
  }
  const days = choice === 'week' ? 7 : choice === 'month' ? 30 : 90
  startAt.setDate(startAt.getDate() - days + 1)
  return { startAt, endAt, unit: 'day' }
}

/** The questions about a subject, by name. Only those that the sections of the share allow.
 * @param {Share} share @param {Subject} subject @param {Period} period @returns {Record<string, string>} */
function questionsOf({ sections }, { kind, id }, { startAt, endAt, unit }) {
  const website = `/api/websites/${id}`
  const range = `startAt=${startAt.getTime()}&endAt=${endAt.getTime()}`
  const opens = (/** @type {string[]} */ ...names) => names.some((name) => sections.includes(name))
  return {
    itself: `/api/${kind}s/${id}`,
    ...(opens('overview', 'compare') && {
      stats: `${website}/stats?${range}`,
      pageviews: `${website}/pageviews?${range}&unit=${unit}&timezone=${encodeURIComponent(timezone)}&fill=true`,
      pages: `${website}/metrics?${range}&type=path&limit=10`,
    }),
    ...(opens('events', 'compare') && { events: `${website}/metrics?${range}&type=event&limit=10` }),
    ...datesOf({ id }),
  }
}

/** @param {Pick<Subject, 'id'>} subject */
const datesOf = ({ id }) => ({ dates: `/api/websites/${id}/daterange` })

/**
 * Shows the page again once the first event of the subject has come.
 * @param {Share} share @param {Subject} subject
 */
function awaitFirst(share, subject) {
  const choice = choices
  const look = async () => {
    const [answer] = await read(share, Object.values(datesOf(subject))).catch(() => [])
    if (choice !== choices) return
    if (answer?.body?.startDate) await show(share).catch(fail)
    else setTimeout(look, 5000)
  }
  setTimeout(look, 5000)
}

/** @param {Share} share @param {Subject} subject @param {Period} period */
async function sectionOf(share, subject, period) {
  const questions = questionsOf(share, subject, period)
  const answers = await read(share, Object.values(questions))
  const found = Object.fromEntries(
    Object.keys(questions).flatMap((name, index) =>
      answers[index]?.status === 200 ? [[name, answers[index].body]] : [],
    ),
  )
  const { itself, stats, pageviews, pages, events, dates } = found
  const shown = element('section', { class: 'subject', 'data-id': subject.id })
  const name = itself?.name ?? `A ${subject.kind}`
  const level = share.boardId ? 'h3' : 'h2'
  if (!share.boardId) setTitle(name)
  else shown.append(element('h2', {}, [name]))
  if (itself?.domain) shown.append(element('p', { class: 'quiet' }, [itself.domain]))
  if (dates && !dates.startDate) {
    shown.append(element('p', { role: 'status' }, ['Waiting for the first event…']))
    awaitFirst(share, subject)
  }
  if (stats) shown.append(numbers(stats))
  if (pageviews) shown.append(chart(pageviews.pageviews, period))
  if (pages) shown.append(list(level, 'Top pages', ['Page', 'Visitors'], pages))
  if (events?.length) shown.append(list(level, 'Events', ['Event', 'Count'], events))
  return shown
}

/** @param {string} title */
function setTitle(title) {
  byId('title').textContent = title
  document.title = title
}

/** @param {{ pageviews: number, visitors: number, visits: number, bounces: number, totaltime: number }} stats */
function numbers({ pageviews, visitors, visits, bounces, totaltime }) {
  const seconds = visits === 0 ? 0 : Math.round(totaltime / visits)
  const shown = {
    pageviews: ['Views', wholeNumber.format(pageviews)],
    visitors: ['Visitors', wholeNumber.format(visitors)],
    visits: ['Visits', wholeNumber.format(visits)],
    bounces: ['Visits of one page', wholeNumber.format(bounces)],
    time: ['Mean visit', `${Math.floor(seconds / 60)} min ${seconds % 60} s`],
  }
  const pairs = Object.entries(shown).map(([name, [label, text]]) =>
    element('div', {}, [element('dt', {}, [label ?? '']), element('dd', { 'data-name': name }, [text ?? ''])]),
  )
  return element('dl', { class: 'numbers' }, pairs)
}

/** The start of a bucket, as the reader's clock shows it. @param {string} start @param {Period} period */
function labelOf(start, { unit }) {
  /** @type {Intl.DateTimeFormatOptions} */
  const format =
    unit === 'hour'
      ? { dateStyle: 'medium', timeStyle: 'short' }
      : unit === 'day'
        ? { dateStyle: 'medium' }
        : { month: 'long', year: 'numeric' }
  return new Intl.DateTimeFormat(undefined, format).format(new Date(start))
}

/**
 * Bars of views over time, and the same as a table.
 * @param {{ x: string, y: number }[]} points @param {Period} period
 */
function chart(points, period) {
  const greatest = Math.max(1, ...points.map(({ y }) => y))
  const svg = (/** @type {string} */ name, /** @type {Record<string, string | number>} */ attributes) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
    return made
  }
  const label = `Views by ${period.unit}, at most ${wholeNumber.format(greatest)}; the table below has the numbers.`
  const picture = svg('svg', {
    ...{ class: 'chart', role: 'img', 'aria-label': label },
    ...{ viewBox: `0 0 ${points.length} 100`, preserveAspectRatio: 'none' },
  })
  for (const [index, { x, y }] of points.entries()) {
    const height = (100 * y) / greatest
    const bar = svg('rect', { x: index + 0.1, y: 100 - height, width: 0.8, height })
    const title = svg('title', {})
    title.textContent = `${labelOf(x, period)}: ${wholeNumber.format(y)}`
    bar.append(title)
    picture.append(bar)
  }
  const rows = points.map(({ x, y }) => ({ x: labelOf(x, period), y }))
  const table = element('details', {}, [element('summary', {}, ['Views as a table']), tableOf(['From', 'Views'], rows)])
  return element('figure', { class: 'views' }, [element('figcaption', {}, ['Views']), picture, table])
}

/**
 * @param {'h2' | 'h3'} level @param {string} heading
 * @param {[string, string]} columns @param {{ x: string, y: number }[]} rows
 */
function list(level, heading, columns, rows) {
  const title = element(level, {}, [heading])
  if (rows.length === 0) return element('div', {}, [title, element('p', {}, ['Nothing in this period.'])])
  return element('div', {}, [title, tableOf(columns, rows)])
}

/** @param {[string, string]} columns @param {{ x: string, y: number }[]} rows */
function tableOf(columns, rows) {
  const head = columns.map((text) => element('th', { scope: 'col' }, [text]))
  const body = rows.map(({ x, y }) =>
    element('tr', {}, [element('td', {}, [x]), element('td', {}, [wholeNumber.format(y)])]),
  )
  const table = element('table', {}, [element('thead', {}, [element('tr', {}, head)]), element('tbody', {}, body)])
  return element('div', { class: 'wide' }, [table])
}

/** @param {Share} share @param {Period} period */
function describe({ sections, expiresAt }, period) {
  const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  const range = `${moment.formatRange(period.startAt, period.endAt)} (${timezone})`
  const end = expiresAt ? ` This link ends on ${moment.format(new Date(expiresAt))}.` : ''
  const opens = sections.length > 0 ? ` The link opens: ${sections.join(', ')}.` : ' The link opens nothing yet.'
  byId('about').textContent = `${range}.${opens}${end}`
}

/** Counts the reader's choices of a period. Answers to an older choice are dropped. */
let choices = 0

/** @param {Share} share */
async function show(share) {
  const choice = ++choices
  const period = chosenPeriod()
  const waiting = subjectsOf(share)
  describe(share, period)
  byId('subjects').replaceChildren()
  if (share.boardId) await showBoard(share, share.boardId)
  const showSome = async () => {
    byId('message').textContent = 'Loading…'
    byId('more').hidden = true
    for (const subject of waiting.splice(0, shownAtOnce)) {
      const section = await sectionOf(share, subject, period)
      if (choice !== choices) return
      byId('subjects').append(section)
    }
    byId('message').textContent = ''
    byId('more').hidden = waiting.length === 0
  }
  byId('more').onclick = () => void showSome().catch(fail)
  await showSome()
}

/** @param {Share} share @param {string} boardId */
async function showBoard(share, boardId) {
  const [board] = await read(share, [`/api/boards/${boardId}`])
  if (board?.status === 200) setTitle(board.body.name)
}

/** @param {unknown} error */
function fail(error) {
  byId('message').textContent =
    error instanceof Refusal ? error.message : 'The numbers cannot be fetched. Is the network down?'
}

try {
  const share = await openShare()
  if (share.parameters.theme) document.documentElement.dataset.theme = share.parameters.theme
  byId('choice').hidden = false
  byId('period').onchange = () => void show(share).catch(fail)
  await show(share)
} catch (error) {
  fail(error)
}
