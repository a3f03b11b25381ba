export const pageSize = 50

export const pageOf = (query: URLSearchParams): number => Math.max(1, Math.trunc(Number(query.get('page'))) || 1)

interface PagesProps {
  readonly query: URLSearchParams
  readonly go: (change: Readonly<Record<string, string>>) => void
  readonly count: number
}

/** Goes through the pages of a list. */
export function Pages({ query, go, count }: PagesProps) {
  const page = pageOf(query)
  const last = Math.max(1, Math.ceil(count / pageSize))
  const step = (text: string, to: number) => (
    <button type="button" class="control" disabled={to < 1 || to > last} onClick={() => go({ page: String(to) })}>
      {text}
    </button>
  )
  return (
    <nav class="controls" aria-label="Pages of the list">
      {step('Previous page', page - 1)}
      <span class="quiet">
        Page {page} of {last}, {count} in all
      </span>
      {step('Next page', page + 1)}
    </nav>
  )
}
