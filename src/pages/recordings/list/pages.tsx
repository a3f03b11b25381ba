import { Pager } from '../../parts/pager.tsx'

export const pageSize = 50

export const pageOf = (query: URLSearchParams): number => Math.max(1, Math.trunc(Number(query.get('page'))) || 1)

interface PagesProps {
  readonly query: URLSearchParams
  readonly go: (change: Readonly<Record<string, string>>) => void
  readonly count: number
}

/** Moves through the pages of a list. */
export const Pages = ({ query, go, count }: PagesProps) => (
  <Pager
    page={pageOf(query)}
    pages={Math.max(1, Math.ceil(count / pageSize))}
    go={(page) => go({ page: String(page) })}
  />
)
