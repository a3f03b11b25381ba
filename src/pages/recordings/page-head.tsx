import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { nameInTitle } from '../parts/name-in-title.ts'
import { useAsked } from '../parts/use-asked.ts'
import type { Session } from '../session/session.ts'

export interface SitePageProps {
  readonly session: Session
  readonly websiteId: string
}

interface PageHeadProps extends SitePageProps {
  readonly title: string
  /** Buttons next to the title. */
  readonly children: ComponentChildren
}

/** Shows the title of a page and the name of the website. Both also appear in the tab's title. */
export function PageHead({ session, websiteId, title, children }: PageHeadProps) {
  const { value } = useAsked(websiteId, (signal) => session.client.getWebsite({ websiteId }, { signal }))
  useEffect(() => {
    if (value) document.title = `${title} · ${nameInTitle(value.name)}`
  }, [value])
  return (
    <div class="head">
      <div class="title">
        <h1>{title}</h1>
        <bdi class="quiet">{value?.name ?? ''}</bdi>
      </div>
      <div class="controls">{children}</div>
    </div>
  )
}
