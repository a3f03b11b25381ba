/**
 * The recorder: what `GET /recorder.js` answers, minified. It decides whether this visit is recorded, records heatmaps,
 * and loads the second file for replays. Nothing that fails here reaches the page. docs/recorder.md says what it does.
 */

import { heatmap } from './heatmap.ts'
import type { Part, ReplayModule, Send } from './part.ts'
import { sender } from './sender.ts'

/** What the tracker tells. Trackers of others have no `visitId`. */
interface TrackerSession {
  readonly cache: string
  readonly website: string | null
  readonly visitId?: string
}

/** `GET /api/websites/:websiteId/recorder`. */
interface Settings {
  readonly enabled: boolean
  readonly replayEnabled: boolean
  readonly heatmapEnabled: boolean
  readonly sampleRate: number
  readonly heatmapSampleRate: number
  readonly maskLevel: string
  readonly maxDuration: number
  readonly blockSelector: string
}

/** The tracker has this many milliseconds to send its first event; it is asked this often, and later that often. */
const [patience, asked, watched] = [5000, 50, 2000]

function start(script: HTMLScriptElement): void {
  const own = (name: string) => script.getAttribute(`data-${name}`)
  const website = own('website-id')
  const tags = Array.from(document.scripts).filter((one) => one.getAttribute('data-website-id') === website)
  const all = (name: string) => tags.flatMap((one) => one.getAttribute(`data-${name}`) || [])
  const isSet = (name: string) => all(name).includes('true')
  const folder = own('host-url')
  const endpoint = (path: string) =>
    new URL(path, folder ? new URL(folder.replace(/\/?$/, '/'), location.href) : new URL('./', script.src))
  const dice = [Math.random(), Math.random()] as const

  let settings: Settings | undefined
  let [isOn, url] = [false, '']
  /** Counts starts and ends. What belongs to an earlier one sends nothing more. */
  let turn = 0
  let parts: Part[] = []
  let visitId: string | undefined

  /** A URL as far as it may be sent. */
  const shown = (text: string): string => {
    const made = new URL(text, location.href)
    if (isSet('exclude-search')) made.search = ''
    if (isSet('exclude-hash')) made.hash = ''
    return made.href
  }

  const isOff = (): boolean =>
    !website ||
    all('domains').some((list) => !list.split(',').some((one) => one.trim().toLowerCase() === location.hostname)) ||
    (isSet('do-not-track') && asksNotToTrack()) ||
    isOptedOut()

  const tracker = () => Object(window).umami
  const session = (): TrackerSession | undefined => {
    // A second tag does nothing: nobody could end what it records.
    if (tracker()?.record && tracker().record !== record) return undefined
    const told: TrackerSession | undefined = tracker()?.getSession?.()
    return told?.cache && told.website === website && !isOff() ? told : undefined
  }

  /** Sends for the visit of this moment. */
  const senderOf = (type: 'record' | 'heatmap', part: () => Part | undefined): Send => {
    const [visit, mine] = [visitId, turn]
    let cache = session()?.cache
    const token = (): string | undefined => {
      const now = session()
      if (now?.visitId === visit) cache = now?.cache
      return now && mine === turn ? cache : undefined
    }
    const end = () => part()?.stop()
    return sender({ type, website: website!, endpoint: endpoint('api/record'), token, end })
  }

  /** Records this visit, as far as it is to be. */
  const recordVisit = async (given: Settings): Promise<void> => {
    const visit = session()?.visitId
    visitId = visit
    url = shown(location.href)
    const mine: Part[] = []
    parts = mine
    if (given.heatmapEnabled && share(visit?.slice(-8), dice[1]) < given.heatmapSampleRate) {
      const part: Part = heatmap(
        senderOf('heatmap', () => part),
        url,
      )
      mine.push(part)
    }
    const rate = least(given.sampleRate, all('sample-rate'))
    if (!given.replayEnabled || share(visit?.slice(0, 8), dice[0]) >= rate) return
    const blocked = ['[data-umami-block]', given.blockSelector, ...all('block-selector')].filter(Boolean).join()
    // Of a selector that does not parse, nobody knows what it was to leave out.
    document.createDocumentFragment().querySelector(blocked)
    const { record } = (await import(new URL('replay.js', script.src).href)) as ReplayModule
    if (parts !== mine) return
    const part: Part = record({
      isStrict: given.maskLevel !== 'moderate' || all('mask-level').includes('strict'),
      maxDuration: least(given.maxDuration, all('max-duration')),
      ...{ blocked, shown },
      send: senderOf('record', () => part),
    })
    mine.push(part)
  }

  const stop = (): void => {
    isOn = false
    turn++
    for (const part of parts) part.stop()
    parts = []
  }

  const flush = (isLeaving: boolean): void => {
    for (const part of parts) part.flush(isLeaving)
  }

  /** A page that stays open may go on in another visit. It is recorded anew, or no more. */
  const watch = (): void => {
    const now = session()
    if (!isOn || !settings || !now || now.visitId === visitId) return
    flush(false)
    for (const part of parts) part.stop()
    recordVisit(settings).catch(noop)
  }

  const begin = async (): Promise<void> => {
    if (isOn || isOff()) return
    isOn = true
    const mine = ++turn
    if (Object(document).prerendering) await once(document, 'prerenderingchange')
    for (let waited = 0; !session() && waited < patience; waited += asked) await pause(asked)
    if (mine !== turn) return
    if (!session()) return stop()
    const answer = await fetch(endpoint(`api/websites/${website}/recorder`), { credentials: 'omit' })
    settings = (await answer.json()) as Settings
    if (mine === turn && session()) await recordVisit(settings)
  }

  const onChange = (): void => {
    const next = shown(location.href)
    if (!isOn || next === url) return
    url = next
    for (const part of parts) part.moveTo(next)
  }
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name]
    history[name] = function (...given) {
      original.apply(this, given)
      quietly(onChange)
    }
  }
  addEventListener('popstate', () => quietly(onChange))
  document.addEventListener('visibilitychange', () => document.hidden && flush(true))
  addEventListener('pagehide', () => flush(true))
  setInterval(() => quietly(watch), watched)

  const record = { start: () => begin().catch(noop), stop }
  const offer = async (): Promise<void> => {
    for (let waited = 0; !tracker() && waited < patience; waited += asked) await pause(asked)
    if (tracker()) tracker().record ??= record
  }
  void offer()
  if (own('auto-start') !== 'false') void record.start()
}

const noop = (): void => {}

/** What fails does so without the page. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // The page goes on without the recorder.
  }
}

/** Eight hexadecimal digits of an id as a share of all such ids; where there is no id, the dice. */
const share = (digits: string | undefined, dice: number): number => (digits ? parseInt(digits, 16) / 2 ** 32 : dice)

/** The least of these numbers; texts that are none do not count. */
const least = (number: number, texts: readonly string[]): number =>
  Math.min(number, ...texts.map(Number).filter((one) => one >= 0))

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const once = (target: EventTarget, name: string): Promise<unknown> =>
  new Promise((resolve) => target.addEventListener(name, resolve, { once: true }))

/** Whether the browser's owner asks sites not to track: by Do Not Track, or by Global Privacy Control. */
const asksNotToTrack = (): boolean =>
  Object(navigator).globalPrivacyControl === true ||
  ['1', 'yes'].includes(String(navigator.doNotTrack || Object(window).doNotTrack))

/** Whether this browser's owner has turned the tracker off. */
function isOptedOut(): boolean {
  try {
    return !!localStorage.getItem('umami.disabled')
  } catch {
    return false
  }
}

quietly(() => start(document.currentScript as HTMLScriptElement))
