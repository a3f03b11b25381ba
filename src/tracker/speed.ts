import { inDocument } from './page.ts'
import type { MoreSettings, Sendable } from './passed.ts'

/** The parts of the browser's measurements that are used here. */
interface Entry extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly interactionId?: number
  readonly activationStart?: number
  readonly responseStart: number
}

/**
 * Measures page speed. Returns a function that sends the figures with a payload. The figures are sent once: by this
 * function, or when the page is hidden.
 */
export function measureSpeed({ current, send }: MoreSettings): (payload: Sendable) => void {
  let isDone = false
  let [fcp, lcp, cls]: (number | undefined)[] = []
  /** The duration of the longest event of each interaction. */
  const durations = new Map<number, number>()
  const takers: (() => void)[] = []
  const observe = (type: string, take: (entry: Entry) => void): boolean => {
    if (!window.PerformanceObserver?.supportedEntryTypes?.includes(type)) return false
    const takeAll = (entries: PerformanceEntryList) => {
      for (const entry of entries) take(entry as Entry)
    }
    const observer = new PerformanceObserver((list) => takeAll(list.getEntries()))
    observer.observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
    takers.push(() => {
      takeAll(observer.takeRecords())
      observer.disconnect()
    })
    return true
  }

  // In a page opened in the background, the first paint only tells when the visitor first looked at it.
  if (!inDocument('hidden') || inDocument('prerendering')) {
    observe('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') fcp = startTime
    })
    observe('largest-contentful-paint', ({ startTime }) => {
      lcp = startTime
    })
  }
  let [total, first, last] = [0, Number.NEGATIVE_INFINITY, 0]
  const shifts = observe('layout-shift', ({ value, hadRecentInput, startTime }) => {
    if (hadRecentInput) return
    if (startTime - last >= 1000 || startTime - first >= 5000) [total, first] = [0, startTime]
    total += value
    last = startTime
    cls = Math.max(cls ?? 0, total)
  })
  const interact = ({ interactionId, duration }: Entry) => {
    if (interactionId) durations.set(interactionId, Math.max(durations.get(interactionId) ?? 0, duration))
  }
  observe('event', interact)
  observe('first-input', interact)

  const finish = (payload: Sendable): void => {
    if (isDone || inDocument('prerendering')) return
    isDone = true
    for (const takeRest of takers) takeRest()
    const [navigation] = performance.getEntriesByType('navigation') as Entry[]
    const sinceActivation = (moment: number | undefined) =>
      moment === undefined ? moment : Math.max(0, moment - (navigation?.activationStart ?? 0))
    const longest = [...durations.values()].sort((one, other) => other - one)
    const count: number = Object(performance).interactionCount ?? longest.length
    const inp = longest[Math.min(longest.length - 1, Math.floor(count / 50))]
    send('performance', () => ({
      ...payload,
      ttfb: sinceActivation(navigation?.responseStart),
      fcp: sinceActivation(fcp),
      lcp: sinceActivation(lcp),
      cls: shifts ? (cls ?? 0) : undefined,
      inp,
    }))
  }
  addEventListener('visibilitychange', () => inDocument('hidden') && finish(current()), true)
  addEventListener('pagehide', () => finish(current()))
  return finish
}
