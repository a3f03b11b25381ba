import type { Answer } from '@weir/client'

export type Section = Answer<'getShareBySlug'>['sections'][number]

/** A website, link or pixel whose numbers the page shows. */
export interface Subject {
  readonly kind: 'website' | 'link' | 'pixel'
  readonly id: string
}

/** What the page may show: what a share or a public website opens. */
export interface Opening {
  /** The token of the share; none for a public website. */
  readonly token: string | undefined
  readonly boardId: string | undefined
  readonly subjects: readonly Subject[]
  readonly sections: readonly Section[]
  readonly allowFilter: boolean
  readonly theme: string | undefined
  /** ISO 8601; undefined if it does not end. */
  readonly expiresAt: string | undefined
}

export function openingOfShare(share: Answer<'getShareBySlug'>): Opening {
  const { theme, allowFilter } = share.parameters
  return {
    token: share.token,
    boardId: share.boardId,
    subjects: subjectsOf(share),
    sections: share.sections,
    allowFilter: allowFilter !== false,
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    expiresAt: share.expiresAt ?? undefined,
  }
}

function subjectsOf(share: Answer<'getShareBySlug'>): Subject[] {
  const { websiteId, linkId, pixelId, boardId, websiteIds = [], linkIds = [], pixelIds = [] } = share
  const as = (kind: Subject['kind']) => (id: string) => ({ kind, id })
  if (boardId) return [...websiteIds.map(as('website')), ...linkIds.map(as('link')), ...pixelIds.map(as('pixel'))]
  if (linkId) return [{ kind: 'link', id: linkId }]
  if (pixelId) return [{ kind: 'pixel', id: pixelId }]
  return websiteId ? [{ kind: 'website', id: websiteId }] : []
}

export const opens = ({ sections }: Pick<Opening, 'sections'>, ...some: readonly Section[]): boolean =>
  some.some((section) => sections.includes(section))
