type WebsitePart = 'Dashboard' | 'Settings' | 'Replays' | 'Heatmaps'

interface WebsiteLinksProps {
  readonly websiteId: string
  /** The page that is open. */
  readonly current: WebsitePart | undefined
}

/** Links to the pages of a website, for the bar. */
export function WebsiteLinks({ websiteId, current }: WebsiteLinksProps) {
  const links: Readonly<Record<WebsitePart, string>> = {
    Dashboard: `/websites/${websiteId}`,
    Settings: `/websites/${websiteId}/settings`,
    Replays: `/replays/${websiteId}`,
    Heatmaps: `/heatmaps/${websiteId}`,
  }
  return (
    <>
      {Object.entries(links).map(([name, href]) => (
        <a key={name} href={href} aria-current={name === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </>
  )
}
