import { inDocument } from '../tracker/page.ts'
import type { Part, Send } from './part.ts'

/** A request is sent after this many events, or this many milliseconds after its first event. */
const most = 20
const latest = 5000

/** The minimum time between two measurements of the scroll depth, in milliseconds. */
const measured = 400

/** Sends clicks and scroll depths as numbers, with the URL. It never sends elements or text. */
export function heatmap(send: Send, given: string): Part {
  let url = given
  let events: string[] = []
  /**
   * The deepest scroll depth of this URL that has not been sent yet, and the deepest one that has been sent, in
   * percent.
   */
  let deepest: { readonly scrollPct: number } | undefined
  let depthSent = 0
  let [sending, measuring]: (ReturnType<typeof setTimeout> | undefined)[] = []

  const page = () => inDocument('scrollingElement') ?? inDocument('documentElement')

  const sizes = () => ({
    url,
    pageW: page().scrollWidth,
    pageH: page().scrollHeight,
    viewportW: innerWidth,
    viewportH: innerHeight,
    timestamp: Date.now(),
  })

  const keepDepth = (): void => {
    if (!deepest) return
    events.push(JSON.stringify(deepest))
    depthSent = deepest.scrollPct
    deepest = undefined
  }

  const flush = (isLeaving: boolean): void => {
    clearTimeout(sending)
    sending = undefined
    keepDepth()
    send(events, isLeaving)
    events = []
  }

  const sendLater = (): void => {
    if (events.length >= most) flush(false)
    else sending ??= setTimeout(flush, latest, false)
  }

  const click = ({ isTrusted, button, detail, clientX, clientY, pageX, pageY }: MouseEvent): void => {
    // If a button is pressed with a key, there is no click position.
    if (!isTrusted || button || !detail) return
    const place = { x: clientX, y: clientY, pageX, pageY }
    events.push(JSON.stringify({ type: 'click', ...place, ...sizes() }))
    sendLater()
  }

  const measure = (): void => {
    measuring = undefined
    const now = sizes()
    const depth = Math.round(((page().scrollTop + now.viewportH) / now.pageH) * 100)
    const scrollPct = Math.max(0, Math.min(depth, 100))
    if (!(scrollPct > (deepest?.scrollPct ?? depthSent))) return
    deepest = { ...{ type: 'scroll', scrollPct }, ...now }
    sendLater()
  }
  const scroll = (): void => {
    measuring ??= setTimeout(measure, measured)
  }

  addEventListener('click', click, true)
  addEventListener('scroll', scroll, true)
  scroll()

  return {
    flush,
    moveTo(next) {
      clearTimeout(measuring)
      measuring = undefined
      keepDepth()
      url = next
      depthSent = 0
      // By the time the depth is measured, the page has rendered its new content.
      scroll()
    },
    stop() {
      removeEventListener('click', click, true)
      removeEventListener('scroll', scroll, true)
      clearTimeout(sending)
      clearTimeout(measuring)
    },
  }
}
