import { useState } from 'preact/hooks'
import { ageOf, type Question } from '../data/data.ts'
import { useAnswer } from '../data/use-answer.ts'
import { Age } from '../parts/notice.tsx'
import { More } from './more.tsx'
import { type Row, Rows } from './rows.tsx'
import { Unanswered } from './unanswered.tsx'

interface LongListProps<Item> {
  readonly ask: (limit: number) => Question<readonly Item[]>
  readonly rowsOf: (items: readonly Item[]) => readonly Row[]
  readonly columns: readonly [string, string, ...string[]]
  /** The number of rows shown at first. */
  readonly step: number
}

/** The first rows of a list, with a button for more. */
export function LongList<Item>({ ask, rowsOf, columns, step }: LongListProps<Item>) {
  const [limit, setLimit] = useState(step)
  const answer = useAnswer(ask(limit + 1))
  const { value } = answer
  if (!value) return <Unanswered {...answer} bones={Math.min(step, 12)} />
  if (value.length === 0) return <p class="empty">Nothing found.</p>
  return (
    <div class={answer.isLoading ? 'list waits' : 'list'}>
      <Age seconds={ageOf(value)} />
      <Rows rows={rowsOf(value.slice(0, limit))} columns={columns} />
      <More isLonger={value.length > limit} {...{ limit, setLimit }} />
    </div>
  )
}
