import { formatShare, formatShort, formatWhole } from '../format/numbers.ts'

/** A row of a list. */
export interface Row {
  readonly key: string
  readonly label: string
  /** The code of a country, before the label. */
  readonly mark?: string
  readonly count: number
  /** The texts of the extra columns. */
  readonly more?: readonly string[]
  /** The share of the total, from 0 to 1; undefined if there is no total. */
  readonly share: number | undefined
  readonly isChosen: boolean
  /** Filters by the row; undefined if that is impossible. */
  readonly choose: (() => void) | undefined
}

interface RowsProps {
  readonly rows: readonly Row[]
  /** The headings of the label, the count and the extra columns. */
  readonly columns: readonly [string, string, ...string[]]
}

/** A list whose rows have bars behind their labels. */
export function Rows({ rows, columns: [label, ...columns] }: RowsProps) {
  const greatest = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <div class={columns.length > 1 ? 'has-more' : undefined}>
      <div class="row-head" aria-hidden="true">
        <span>{label}</span>
        {columns.map((column) => (
          <span key={column} class="row-count">
            {column}
          </span>
        ))}
      </div>
      <ol class="rows">
        {rows.map((row) => (
          <li key={row.key} class={row.isChosen ? 'row is-chosen' : 'row'} data-key={row.key}>
            <Label row={row} part={row.count / greatest} />
            {row.share !== undefined && <span class="row-share">{formatShare(row.share)}</span>}
            <span class="row-count" data-count={row.count} title={formatWhole(row.count)}>
              {formatShort(row.count)}
              <span class="unseen row-unit"> {columns[0]}</span>
            </span>
            {row.more?.map((text, index) => (
              <span key={columns[index + 1]} class="row-count is-more">
                {text}
                <span class="unseen row-unit"> {columns[index + 1]}</span>
              </span>
            ))}
          </li>
        ))}
      </ol>
    </div>
  )
}

function Label({ row: { label, mark, choose, isChosen }, part }: { readonly row: Row; readonly part: number }) {
  const inside = (
    <>
      <Bar part={part} />
      {mark && <Mark code={mark} />}
      <bdi>{label}</bdi>
    </>
  )
  if (!choose)
    return (
      <span class="row-label" title={label}>
        {inside}
      </span>
    )
  return (
    <button type="button" class="row-label" title={label} aria-pressed={isChosen} onClick={choose}>
      {inside}
    </button>
  )
}

/** A bar behind a label; `part` is from 0 to 1. */
export const Bar = ({ part }: { readonly part: number }) => (
  <span class="row-bar" style={{ inlineSize: `${100 * Math.min(part, 1)}%` }} />
)

/** A badge with a country's code, because some systems lack flag characters. */
export const Mark = ({ code }: { readonly code: string }) => (
  <span class="mark" aria-hidden="true">
    {code}
  </span>
)

/** Grey placeholders for the rows of a list. */
export function RowBones({ count }: { readonly count: number }) {
  return (
    <div class="rows" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} class="row">
          <span class="bone" style={{ inlineSize: `${90 - 7 * index}%` }} />
        </div>
      ))}
    </div>
  )
}
