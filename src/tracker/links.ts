import { quietly } from './page.ts'
import type { MoreSettings } from './passed.ts'

/** Links to paths with these extensions count as downloads. The tag's attribute adds further extensions. */
const endings = ['pdf', 'zip', 'dmg', 'exe', 'csv', 'xlsx', 'docx', 'pptx', 'mp3', 'mp4']

/** Sends events for outbound links, downloads and missing pages, if the tag enables them. */
export function watchLinks({ setting, isOn, shown, track, follow }: MoreSettings): void {
  const own = (setting('downloads') ?? '').toLowerCase().split(',')
  const ends = [...endings, ...own.map((one) => one.trim().replace(/^\./, ''))]

  const isDownload = (link: HTMLAnchorElement | HTMLAreaElement): boolean => {
    const [, ending] = /\.(\w+)$/.exec(link.pathname) ?? []
    return isOn('downloads') && (link.hasAttribute('download') || (!!ending && ends.includes(ending.toLowerCase())))
  }

  const isOutbound = ({ protocol, host }: HTMLAnchorElement | HTMLAreaElement): boolean =>
    isOn('outbound-links') && /^https?:$/.test(protocol) && host !== new URL(shown()).host

  /** A link's URL, or only its protocol if the URL itself contains data, as `data:` URLs do. */
  const addressOf = ({ href, protocol }: HTMLAnchorElement | HTMLAreaElement): string => {
    if (!/^(https?|ftp):$/.test(protocol)) return protocol
    const url = new URL(shown(href))
    url.username = url.password = ''
    return url.href
  }

  const click = (event: MouseEvent): void => {
    const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement || one instanceof HTMLAreaElement)
    // Ignores all mouse buttons except the main one and the middle one, which opens a tab.
    if (!link?.href || event.button > 1) return
    const names = [isDownload(link) && 'Download', isOutbound(link) && 'Outbound link']
    for (const name of names) if (name) follow(event, track(name, { url: addressOf(link) }))
  }
  addEventListener('click', (event) => quietly(() => click(event)), true)
  addEventListener('auxclick', (event) => quietly(() => click(event)), true)

  const [navigation] = performance.getEntriesByType('navigation')
  if (isOn('404') && Object(navigation).responseStatus === 404) void track('404', { url: shown() })
}
