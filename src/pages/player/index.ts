/**
 * The frame that plays a replay. Its document comes from a `data:` URL. So it has no origin, and cannot read the Weir
 * page around it. rrweb builds the recorded page in an inner frame, which runs no scripts.
 */
import { Replayer } from '@rrweb/replay'
import type { Command, PlayerState, Report } from './messages.ts'
import { custom, fullSnapshot, isDoing, meta, type Playable, playable } from './playable.ts'

/**
 * The longest pause between two events, in milliseconds. A longer one means a wrong clock, and is shortened to a
 * second.
 */
const longestGap = 3_600_000
/** Playing continues once this many milliseconds of events are loaded. */
const enough = 1000
/**
 * A pause of at least `silence` milliseconds without actions can be skipped, up to `moment` milliseconds before its
 * end.
 */
const [silence, moment] = [4000, 500]
const mostFaults = 100
const tick = 100

/** Plays the events that arrive through the port. */
function play(port: MessagePort): void {
  const tell = (report: Report) => port.postMessage(report)
  let replayer: Replayer | undefined
  const before: Playable[] = []
  let [first, last, shift, faults] = [0, 0, 0, 0]
  let [hasAll, isPlaying, isWaiting, skips, speed] = [false, false, false, false, 1]
  /** The times of the visitor's actions, in milliseconds since the start. */
  const doings: number[] = []
  let page: string | undefined
  let told = ''

  const duration = () => last - first
  const at = () => Math.max(0, Math.min(replayer?.getCurrentTime() ?? 0, duration()))
  const state = (): PlayerState => ({ at: at(), duration: duration(), isPlaying, isWaiting })
  const show = () => {
    const now = JSON.stringify(state())
    if (now !== told) tell({ is: 'state', state: state() })
    told = now
  }

  /** Adjusts the time of an event: times never go backwards, and no pause is longer than `longestGap`. */
  const place = (event: Playable) => {
    const isFirst = last === 0
    if (isFirst) {
      first = event.timestamp
      tell({ is: 'start', moment: first })
    } else {
      const gap = event.timestamp + shift - last
      if (gap < 0 || gap > longestGap) shift += Math.max(0, Math.min(gap, 1000)) - gap
    }
    event.timestamp += shift
    last = event.timestamp
  }

  const note = ({ type, timestamp, data }: Playable) => {
    if (isDoing({ type, data })) doings.push(timestamp - first)
    const url = type === meta ? data.href : type === custom && data.tag === 'url-change' ? data.payload?.url : undefined
    if (typeof url !== 'string' || url === page) return
    page = url
    tell({ is: 'page', at: timestamp - first, url: url.slice(0, 2000) })
  }

  const goTo = (moment: number) => {
    isWaiting = false
    if (isPlaying) replayer?.play(moment)
    // Adds one millisecond, so that events at exactly this moment are shown.
    else replayer?.pause(moment + 1)
  }

  /** Skips to shortly before the visitor's next action, or to the end. */
  const skip = () => {
    const now = at()
    const next = doings.find((doing) => doing > now) ?? (hasAll ? duration() + moment : now)
    if (next - now > silence) goTo(next - moment)
  }

  const begin = () => {
    replayer = new Replayer(
      before as never,
      {
        ...{ root: document.body, speed, mouseTail: false },
        ...{ triggerFocus: false, showWarning: false, logger: { log: () => {}, warn: () => {} } },
      } as never,
    )
    const { iframe, wrapper } = replayer
    // Nothing in the recorded page reacts to clicks or keys, or gets the focus.
    iframe.setAttribute('inert', '')
    iframe.setAttribute('tabindex', '-1')
    replayer.on('resize', (size) => scaleTo(wrapper, size as Size))
    replayer.on('finish', () => {
      isWaiting = isPlaying && !hasAll
      isPlaying &&= !hasAll
    })
    addEventListener('resize', () => scaleTo(wrapper))
    isPlaying = !matchMedia('(prefers-reduced-motion: reduce)').matches
    goTo(0)
    setInterval(() => {
      if (skips && isPlaying && !isWaiting) skip()
      show()
    }, tick)
  }

  const add = (lines: readonly string[]) => {
    for (const line of lines) {
      const event = playable(line)
      if (!event) continue
      place(event)
      note(event)
      if (replayer) replayer.addEvent(event as never)
      else before.push(event)
    }
    if (!replayer && before.length > 1 && before.some(({ type }) => type === fullSnapshot)) begin()
    if (isWaiting && (hasAll || duration() - at() > enough)) goTo(at())
  }

  const obey = (command: Command) => {
    if (command.is === 'events') add(command.lines)
    if (command.is === 'end') {
      hasAll = true
      if (!replayer) tell({ is: 'fault' })
      add([])
    }
    if (command.is === 'play' || command.is === 'pause') {
      isPlaying = command.is === 'play'
      goTo(isPlaying && hasAll && at() >= duration() ? 0 : at())
    }
    if (command.is === 'seek') goTo(Math.max(0, Math.min(command.at, duration())))
    if (command.is === 'speed') {
      speed = command.speed
      replayer?.setConfig({ speed })
    }
    if (command.is === 'skip') skips = command.skips
    if (replayer) show()
  }

  // If rrweb cannot build a page, its clock stops. The replay then continues after that event.
  addEventListener('error', () => {
    if (++faults < mostFaults) goTo(at() + 1)
    else tell({ is: 'fault' })
  })
  port.onmessage = ({ data }: MessageEvent<Command>) => {
    try {
      obey(data)
    } catch {
      tell({ is: 'fault' })
    }
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

let size: Size = { width: 1280, height: 720 }

/** Scales the recorded window to the frame. */
function scaleTo(wrapper: HTMLElement, changed: Size = size): void {
  size = changed
  const scale = Math.min(innerWidth / size.width, innerHeight / size.height, 1)
  const left = (innerWidth - size.width * scale) / 2
  wrapper.style.transform = `translate(${left}px, 0) scale(${scale})`
  wrapper.style.width = `${size.width}px`
  wrapper.style.height = `${size.height}px`
}

addEventListener('message', ({ source, ports: [port] }) => {
  if (source === parent && port) play(port)
})
