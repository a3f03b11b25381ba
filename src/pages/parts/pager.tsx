interface PagerProps {
  readonly page: number
  readonly pages: number
  readonly go: (page: number) => void
}

/** Moves through the pages of a list. */
export const Pager = ({ page, pages, go }: PagerProps) => (
  <nav class="pager" aria-label="Pages of the list">
    <button type="button" class="control" disabled={page <= 1} onClick={() => go(page - 1)}>
      Previous
    </button>
    <span>
      {page} of {pages}
    </span>
    <button type="button" class="control" disabled={page >= pages} onClick={() => go(page + 1)}>
      Next
    </button>
  </nav>
)
