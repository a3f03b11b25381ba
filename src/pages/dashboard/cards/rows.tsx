import type { ComponentChildren } from 'preact'
import { formatShare, formatShort, formatWhole } from '../format/numbers.ts'

/** A row of a list. */
export interface Row {
  readonly key: string
  readonly label: string
  /** A flag or the like before the label. */
  readonly mark?: string
  readonly count: number
  /** The part of the whole, from 0 to 1; undefined where there is no whole. */
  readonly share: number | undefined
  readonly isChosen: boolean
  /** Filters by the row; undefined where that is not possible. */
  readonly choose: (() => void) | undefined
}

interface RowsProps {
  readonly rows: readonly Row[]
  readonly columns: readonly [string, string]
  /** The greatest count: its bar is as wide as the list. */
  readonly greatest: number
}

/** Rows with bars behind them. */
export function Rows({ rows, columns, greatest }: RowsProps) {
  return (
    <>
      <div class="row-head" aria-hidden="true">
        <span>{columns[0]}</span>
        <span>{columns[1]}</span>
      </div>
      <ol class="rows">
        {rows.map((row) => (
          <li key={row.key} class={row.isChosen ? 'row is-chosen' : 'row'} data-key={row.key}>
            <span class="row-bar" style={{ inlineSize: `${(100 * row.count) / Math.max(greatest, 1)}%` }} />
            <Label row={row}>
              {row.mark && (
                <span class="mark" aria-hidden="true">
                  {row.mark}
                </span>
              )}
              <bdi>{row.label}</bdi>
            </Label>
            {row.share !== undefined && <span class="row-share">{formatShare(row.share)}</span>}
            <span class="row-count" data-count={row.count} title={formatWhole(row.count)}>
              {formatShort(row.count)}
              <span class="unseen"> {columns[1]}</span>
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

function Label({ row, children }: { readonly row: Row; readonly children: ComponentChildren }) {
  const { label, choose, isChosen } = row
  if (!choose)
    return (
      <span class="row-label" title={label}>
        {children}
      </span>
    )
  return (
    <button type="button" class="row-label" title={label} aria-pressed={isChosen} onClick={choose}>
      {children}
    </button>
  )
}

/** As many grey rows as the list will have at most. */
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
