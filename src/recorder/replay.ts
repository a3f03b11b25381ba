/**
 * The recorder's second file, `GET /replay.js`, which records replays with rrweb. docs/recorder.md lists what is masked
 * and left out.
 */

import { record as observe } from '@rrweb/record'
import { matching } from '../tracker/page.ts'
import { bytesOf } from './bytes.ts'
import { fullSnapshot, masker, meta, type RrwebEvent, within } from './mask.ts'
import { least, type Part, type ReplaySettings } from './part.ts'

/** Larger pages are not recorded, because a snapshot would slow them down. */
const mostElements = 50_000

/** The maximum number of events, and of bytes, in a request. */
const most = 100
const mostBytes = 400_000

/** Elements whose text users can edit on the page. */
const editable = '[contenteditable]:not([contenteditable=false i])'

/** The maximum length of a request, in bytes. */
const longest = 4_900_000

/** The number of characters in a piece. A browser that cannot compress sends longer events in pieces. */
const piece = 250_000

/** How long events wait for others, in milliseconds: `soon` during the first ten seconds, then `later`. */
const [early, soon, later] = [10_000, 2000, 10_000]

/** A new full snapshot is taken after this many milliseconds, or this many events. */
const [snapshotAge, snapshotEvents] = [300_000, 1000]

/** Starts recording replays of this page. */
export function record({ given, all, blocked, shown, send }: ReplaySettings): Part {
  const isStrict = given.maskLevel !== 'moderate' || all('mask-level').includes('strict')
  const maxDuration = least(given.maxDuration, all('max-duration'))
  const hidden = `.rr-mask,[data-umami-mask],textarea,select,option,noscript,${editable},.rr-block,${blocked}`
  const isWithin = within((element) => edited.has(element) || isMatch(element, hidden))
  /** Elements into which text was typed. A style or a script can make any element editable. */
  const edited = new WeakSet<EventTarget>()
  const markEdited = (event: Event): void => {
    for (const target of event.composedPath().slice(0, 1)) edited.add(target)
  }
  addEventListener('beforeinput', markEdited, true)
  /** A cache for the time of a snapshot, during which nothing changes. */
  let known: Map<Element, boolean> | undefined
  const maskText = (text: string, element: HTMLElement | null): string =>
    element?.tagName !== 'STYLE' && (isStrict || isWithin(element, known)) ? text.replace(/\S/g, '*') : text
  const mask = masker(isStrict, shown, {
    boxOf(id) {
      const element = observe.mirror.getNode(id) as Element | null
      if (!element || !isMatch(element, `.rr-block,${blocked}`)) return undefined
      const { width, height } = Element.prototype.getBoundingClientRect.call(element)
      return { rr_width: `${width}px`, rr_height: `${height}px` }
    },
    textOf(id, text) {
      const node = observe.mirror.getNode(id)
      const parent = node && Reflect.get(Node.prototype, 'parentElement', node)
      return maskText(text, parent)
    },
  })
  let texts: string[] = []
  let [bytes, begunAt, snapshotAt, since] = [0, 0, 0, 0]
  let [hasEnded, awaitsSnapshot] = [false, false]
  let [sending, ending]: (ReturnType<typeof setTimeout> | undefined)[] = []
  let unobserve: (() => void) | undefined

  const flush = (isLeaving: boolean): void => {
    clearTimeout(sending)
    sending = undefined
    send(texts, isLeaving, bytes)
    texts = []
    bytes = 0
  }

  const stop = (): void => {
    hasEnded = true
    clearTimeout(sending)
    clearTimeout(ending)
    removeEventListener('beforeinput', markEdited, true)
    unobserve?.()
    unobserve = undefined
  }

  /** Stops, after sending everything recorded so far. */
  const finish = () => {
    if (!hasEnded) flush(false)
    stop()
  }

  const add = (text: string, isAlone: boolean) => {
    const size = bytesOf(text)
    if (size > longest) return finish()
    if (bytes + size > mostBytes && texts.length > 0 && !isAlone) flush(false)
    texts.push(text)
    bytes += size
    const wait = Date.now() - begunAt < early ? soon : later
    if (isAlone || texts.length >= most || bytes >= mostBytes) flush(false)
    else sending ??= setTimeout(flush, wait, false)
  }

  /** Splits an event that is too long for one request, and adds its pieces. */
  const addPieces = (text: string, timestamp: number) => {
    const id = `${timestamp}-${Math.random()}`
    const total = Math.ceil(text.length / piece)
    if (bytesOf(text) > longest) return finish()
    flush(false)
    for (let index = 0; index < total; index++) {
      const data = { id, index, total, value: text.slice(index * piece, (index + 1) * piece) }
      add(JSON.stringify({ type: 'umami:rrweb-event-fragment', timestamp, data }), true)
    }
  }

  const emit = (event: RrwebEvent) => {
    const { type, timestamp } = event
    if (hasEnded) return
    if (!begunAt) {
      begunAt = timestamp
      ending = setTimeout(finish, maxDuration)
    }
    if (timestamp - begunAt > maxDuration) return finish()
    if (!mask(event)) return
    const text = JSON.stringify(event)
    if (type === meta) {
      // A full snapshot and this event, which contains the page's URL, are sent together in a separate request.
      flush(false)
      known = new Map()
      queueMicrotask(() => {
        known = undefined
      })
    }
    if (type === fullSnapshot) [snapshotAt, since] = [timestamp, 0]
    else since++
    if (!('CompressionStream' in window) && text.length > piece) addPieces(text, timestamp)
    else add(text, type === fullSnapshot)
    const isDue = since > snapshotEvents || timestamp - snapshotAt > snapshotAge
    if (!isDue || !snapshotAt || awaitsSnapshot) return
    awaitsSnapshot = true
    whenIdle(() => {
      if (hasEnded) return
      try {
        if (isTooLarge()) finish()
        else observe.takeFullSnapshot(true)
      } catch {
        // The page must not notice rrweb's errors.
        finish()
      }
      awaitsSnapshot = false
    })
  }

  whenIdle(() => {
    if (hasEnded || isTooLarge()) return stop()
    unobserve = observe({
      emit: emit as never,
      ...{ blockClass: 'rr-block', blockSelector: blocked, ignoreClass: 'rr-ignore' },
      // `maskText` decides whether a text is masked. Every field is masked, whatever its type.
      ...{ maskTextSelector: '*', maskTextFn: maskText },
      maskInputOptions: { input: true, textarea: true, select: true, option: true } as object,
      slimDOMOptions: 'all',
      sampling: { scroll: 150 },
      errorHandler: () => true,
    })
    // The first snapshot is too long for a request.
    if (hasEnded) stop()
  })

  return {
    flush,
    stop,
    moveTo(url) {
      if (unobserve) observe.addCustomEvent('url-change', { url })
    },
  }
}

/** Whether a selector matches an element, even if the element is a form. */
const isMatch = (element: Element, selector: string): boolean => Element.prototype.matches.call(element, selector)

const isTooLarge = (): boolean => matching('*').length > mostElements

/** Safari lacks `requestIdleCallback`. */
const whenIdle = (work: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: 2000 })
  else setTimeout(work, 200)
}
