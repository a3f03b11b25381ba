interface MoreProps {
  /** Whether the list has more rows. */
  readonly isLonger: boolean
  readonly limit: number
  readonly setLimit: (limit: number) => void
}

/** One less than the maximum number of rows that the API returns. The extra row shows whether there are more. */
const most = 9999

/** A button that doubles the number of rows. */
export function More({ isLonger, limit, setLimit }: MoreProps) {
  if (!isLonger) return null
  if (limit >= most) return <p class="empty">There are more. Search for them, or save the list.</p>
  return (
    <button type="button" class="more" onClick={() => setLimit(Math.min(2 * limit, most))}>
      Show more
    </button>
  )
}
