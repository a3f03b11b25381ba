/**
 * The recorder, served minified as `GET /recorder.js`. It decides whether to record this visit, records heatmaps, and
 * loads the second file for replays. Errors here never affect the page. See docs/recorder.md.
 */

import {
  configured,
  inDocument,
  isForbidden,
  matching,
  noop,
  onSetUrl,
  plain,
  quietly,
  settingOf,
  shortened,
  startEach,
} from '../tracker/page.ts'
import { heatmap } from './heatmap.ts'
import { least, type Part, type ReplayModule, type Send } from './part.ts'
import { sender } from './sender.ts'

/** The session that the tracker exposes. Trackers other than Weir's have no `visitId`. */
interface TrackerSession {
  readonly cache: string
  readonly website: string | null
  readonly visitId?: string
}

/** The part of `umami` that is used here. */
interface Tracker {
  getSession?(): TrackerSession | undefined
  record?: object
}

/** The response of `GET /api/websites/:websiteId/recorder`. */
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

/** How long to wait for the tracker's first event, in milliseconds. */
const patience = 5000

/** The tracker is checked at this interval, in milliseconds: `asked` until its first answer, then `watched`. */
const asked = 50
const watched = 2000

function start(script: Element, source: string | URL): void {
  const own = (name: string) => settingOf(script, name)
  const website = own('website-id')
  const tags = matching('script').filter((one) => settingOf(one, 'website-id') === website)
  /** All values of a setting: from all tags of the website, and from the page's `umamiConfig`. */
  const all = (name: string): string[] =>
    [...tags.map((one) => one.getAttribute(`data-${name}`)), configured(name)].filter(Boolean) as string[]
  const isSet = (name: string) => all(name).includes('true')
  const folder = own('host-url')
  const endpoint = (path: string) =>
    new URL(path, folder ? new URL(folder.replace(/\/?$/, '/'), location.href) : source)
  const dice = [Math.random(), Math.random()] as const

  let settings: Settings | undefined
  let isOn = false
  let url = ''
  /** Incremented by each start and stop, so that code from before the latest one sends nothing more. */
  let turn = 0
  let parts: Part[] = []
  let visitId: string | undefined

  /** The part of a URL that may be sent. */
  const shown = (text: string): string => shortened(text, location.href, isSet)

  const isOff = (): boolean => !website || isForbidden(location.hostname, all('domains'), isSet)

  /** The page's global `umami`, unless it is an element with this name. */
  const tracker = () => plain('umami') as Tracker
  const session = (): TrackerSession | undefined => {
    // A second tag does nothing, because its recording could not be stopped.
    const own = tracker()
    if (own.record && own.record !== record) return undefined
    const told = own.getSession?.()
    return told?.cache && told.website === website && !isOff() ? told : undefined
  }

  /** Creates a sender for the current visit. */
  const senderOf = (type: 'record' | 'heatmap', part: () => Part | undefined): Send => {
    const visit = visitId
    const mine = turn
    let cache = session()?.cache
    const token = (): string | undefined => {
      const now = session()
      if (now?.visitId === visit) cache = now?.cache
      return now && mine === turn ? cache : undefined
    }
    const end = () => part()?.stop()
    return sender({ type, website: website!, endpoint: endpoint('api/record'), token, end })
  }

  /** Records this visit if the settings select it. */
  const recordVisit = async (given: Settings): Promise<void> => {
    visitId = session()?.visitId
    url = shown(location.href)
    const mine: Part[] = []
    parts = mine
    if (given.heatmapEnabled && share(visitId?.slice(-8), dice[1]) < given.heatmapSampleRate) {
      const part: Part = heatmap(
        senderOf('heatmap', () => part),
        url,
      )
      mine.push(part)
    }
    const rate = least(given.sampleRate, all('sample-rate'))
    if (!given.replayEnabled || share(visitId?.slice(0, 8), dice[0]) >= rate) return
    const blocked = ['[data-umami-block]', given.blockSelector, ...all('block-selector')].filter(Boolean).join()
    // Throws if the selector is invalid, because it is then unknown which elements to leave out.
    new DocumentFragment().querySelector(blocked)
    const { record } = (await import(new URL('replay.js', source).href)) as ReplayModule
    if (parts !== mine) return
    const part: Part = record({ given, all, blocked, shown, send: senderOf('record', () => part) })
    mine.push(part)
  }

  const end = (): void => {
    for (const part of parts) part.stop()
    parts = []
  }

  const stop = (): void => {
    isOn = false
    turn++
    end()
  }

  const flush = (isLeaving: boolean): void => {
    for (const part of parts) part.flush(isLeaving)
  }

  /** A page may stay open longer than its visit lasts. The next visit is then recorded separately, or not at all. */
  const watch = (): void => {
    const now = session()
    if (!isOn || !settings || !now || now.visitId === visitId) return
    flush(false)
    end()
    recordVisit(settings).catch(noop)
  }

  const begin = async (): Promise<void> => {
    if (isOn || isOff()) return
    isOn = true
    const mine = ++turn
    await until(session)
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
  onSetUrl(onChange)
  addEventListener('popstate', () => quietly(onChange))
  addEventListener('visibilitychange', () => inDocument('hidden') && flush(true), true)
  addEventListener('pagehide', () => flush(true))
  setInterval(() => quietly(watch), watched)

  const record = { start: () => begin().catch(noop), stop }
  const offer = async (): Promise<void> => {
    await until(() => tracker().getSession)
    tracker().record ??= record
  }
  void offer()
  if (own('auto-start') !== 'false') void record.start()
}

/** Turns eight hexadecimal digits of an id into a number from 0 to 1. Without an id, returns the random number. */
const share = (digits: string | undefined, dice: number): number => (digits ? parseInt(digits, 16) / 2 ** 32 : dice)

/** Waits at most `patience` milliseconds for a value. Time during which the page is prerendered does not count. */
async function until(look: () => unknown): Promise<void> {
  for (let waited = 0; !look() && waited < patience; waited += inDocument('prerendering') ? 0 : asked) {
    await new Promise((resolve) => setTimeout(resolve, asked))
  }
}

startEach(['/recorder.js'], start)
