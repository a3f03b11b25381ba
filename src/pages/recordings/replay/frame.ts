import type { Command, PlayerState, Report } from '../../player/messages.ts'

/** The document of the frame. It never contains text from visitors: `sources` comes from the website's settings. */
function documentOf(sources: string): string {
  const { origin } = location
  const policy = [
    "default-src 'none'",
    `script-src ${origin}/assets/player.js`,
    `style-src ${origin}/assets/player.css 'unsafe-inline'`,
    `img-src data: ${sources}`,
    `font-src data: ${sources}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>What the visitor saw</title>
<link rel="stylesheet" href="${origin}/assets/player.css">
<body><script src="${origin}/assets/player.js"></script></body>
</html>`
}

/** The URL of the player's frame. A document from a `data:` URL has no origin, whatever its sandbox allows. */
export const frameAddress = (sources: string): string =>
  `data:text/html;charset=utf-8,${encodeURIComponent(documentOf(sources))}`

/**
 * The permissions of the frame. It may run the player, which needs `allow-same-origin` to access its inner frame, in
 * which it builds the recorded page. Navigating the whole tab, new windows, forms and downloads remain forbidden.
 */
export const frameSandbox = 'allow-scripts allow-same-origin'

/** Listeners for the player's reports. Times are milliseconds since the start. */
interface Listener {
  state(state: PlayerState): void
  page(at: number, url: string): void
  start(moment: number): void
  fault(): void
}

/** The player in a frame that has finished loading. */
export interface Player {
  send(command: Command): void
  close(): void
}

const isTime = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0

/** Connects to the player of a frame. Ignores messages that are not valid reports. */
export function connect({ contentWindow }: HTMLIFrameElement, listener: Listener): Player {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = ({ data }: MessageEvent<Report>) => {
    if (data.is === 'fault') listener.fault()
    if (data.is === 'start' && Number.isFinite(data.moment)) listener.start(data.moment)
    if (data.is === 'page' && isTime(data.at)) listener.page(data.at, String(data.url).slice(0, 2000))
    if (data.is === 'state' && isTime(data.state.at) && isTime(data.state.duration)) listener.state(data.state)
  }
  // `postMessage` cannot target a frame without an origin, so this message contains only the port.
  contentWindow?.postMessage('', '*', [port2])
  return { send: (command) => port1.postMessage(command), close: () => port1.close() }
}
