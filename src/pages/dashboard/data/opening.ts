import type { Answer } from '@weir/client'

export type Section = Answer<'getShareBySlug'>['sections'][number]

/** A website, link or pixel whose numbers the page shows. */
export interface Subject {
  readonly kind: 'website' | 'link' | 'pixel'
  readonly id: string
}

/** The credential with which the page reads. */
export interface Credential {
  /**
   * The slug of a share, or `public`. It is sent in the URL, so that equal requests of all viewers have the same URL.
   */
  readonly share?: string
  /** The token of the share, for files and streams. */
  readonly shareToken?: string
  readonly key?: string
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** The parts that the page may show. */
export interface Opening {
  readonly credential: Credential
  readonly boardId: string | undefined
  readonly subjects: readonly Subject[]
  /** The open sections. `all` for viewers who have their own access. */
  readonly sections: readonly Section[] | 'all'
  readonly allowFilter: boolean
  /** Whether lists may be exported as files. */
  readonly allowExport: boolean
  readonly theme: string | undefined
  /** An ISO 8601 time; undefined if access does not expire. */
  readonly expiresAt: string | undefined
}

export function openingOfShare(share: Answer<'getShareBySlug'>, slug: string): Opening {
  const { theme, allowFilter, allowExport } = share.parameters
  return {
    credential: { share: slug, shareToken: share.token },
    boardId: share.boardId,
    subjects: subjectsOf(share),
    sections: share.sections,
    allowFilter: allowFilter !== false,
    allowExport: allowExport === true,
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    expiresAt: share.expiresAt ?? undefined,
  }
}

export function openingOfPublic({ id, opening }: Answer<'getWebsite'>): Opening {
  return {
    ...ofOne({ kind: 'website', id }, { share: 'public' }),
    sections: (opening?.sections ?? []) as Section[],
    allowFilter: opening?.allowFilter ?? false,
    allowExport: opening?.allowExport ?? false,
    expiresAt: opening?.expiresAt ?? undefined,
  }
}

export const openingOfOwn = (subject: Subject, credential: Credential): Opening => ofOne(subject, credential)

const ofOne = (subject: Subject, credential: Credential): Opening => ({
  ...{ credential, boardId: undefined, subjects: [subject], sections: 'all', allowFilter: true, allowExport: true },
  ...{ theme: undefined, expiresAt: undefined },
})

function subjectsOf(share: Answer<'getShareBySlug'>): Subject[] {
  const { websiteId, linkId, pixelId, boardId, websiteIds = [], linkIds = [], pixelIds = [] } = share
  const as = (kind: Subject['kind']) => (id: string) => ({ kind, id })
  if (boardId) return [...websiteIds.map(as('website')), ...linkIds.map(as('link')), ...pixelIds.map(as('pixel'))]
  if (linkId) return [{ kind: 'link', id: linkId }]
  if (pixelId) return [{ kind: 'pixel', id: pixelId }]
  return websiteId ? [{ kind: 'website', id: websiteId }] : []
}

/** Whether one of the sections is open. */
export const opens = ({ sections }: Pick<Opening, 'sections'>, ...some: readonly Section[]): boolean =>
  sections === 'all' || some.some((section) => sections.includes(section))
