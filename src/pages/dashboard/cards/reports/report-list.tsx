import { useState } from 'preact/hooks'
import type { Question } from '../../data/data.ts'
import { ageOf } from '../../data/data.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { Age, Fault } from '../../parts/notice.tsx'
import { ListFile } from '../list-file.tsx'
import { More } from '../more.tsx'
import { type Row, RowBones, Rows } from '../rows.tsx'

interface ReportListProps<Item> {
  readonly ask: (limit: number) => Question<readonly Item[]>
  readonly rowsOf: (items: readonly Item[]) => readonly Row[]
  readonly columns: readonly [string, string, ...string[]]
  readonly name: string
  /** Makes the whole list as CSV. */
  readonly make: () => Promise<Blob>
}

const step = 10

/** The first rows of a report, with a button for more, and one that saves all. */
export function ReportList<Item>({ ask, rowsOf, columns, name, make }: ReportListProps<Item>) {
  const [limit, setLimit] = useState(step)
  const { value, error, isLoading, retry } = useAnswer(ask(limit + 1))
  if (error) return <Fault error={error} retry={retry} />
  if (!value) return <RowBones count={step} />
  if (value.length === 0) return <p class="empty">Nothing in this period.</p>
  const rows = rowsOf(value.slice(0, limit))
  return (
    <div class={isLoading ? 'list waits' : 'list'}>
      <Age seconds={ageOf(value)} />
      <Rows {...{ rows, columns }} greatest={rows[0]?.count ?? 1} />
      <div class="list-end">
        <More isLonger={value.length > limit} {...{ limit, setLimit }} />
        <ListFile {...{ name, make }} />
      </div>
    </div>
  )
}
