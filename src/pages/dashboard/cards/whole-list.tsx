import { useState } from 'preact/hooks'
import { useAnswer } from '../data/use-answer.ts'
import { Modal } from '../parts/modal.tsx'
import { Fault } from '../parts/notice.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { useBoard } from './context.ts'
import { ListFile } from './list-file.tsx'
import { expandedRowsOf, type MetricTab, moreColumns } from './metric-rows.ts'
import { More } from './more.tsx'
import { RowBones, Rows } from './rows.tsx'

interface WholeListProps {
  readonly title: string
  readonly tab: MetricTab
  readonly close: () => void
}

const step = 100

/** The whole list over the page, with a search. */
export function WholeList({ title, tab, close }: WholeListProps) {
  const [search, setSearch] = useState('')
  const [limit, setLimit] = useState(step)
  const settled = useSettled(search)
  const board = useBoard()
  const question = { ...board.input, type: tab.type, ...(settled && { search: settled }) }
  const { value, error, isLoading, retry } = useAnswer(board.data.expanded({ ...question, limit: limit + 1 }))
  const rows = value && expandedRowsOf(value.slice(0, limit), tab, board)
  const columns = tab.countsEvents ? tab.columns : ([...tab.columns, ...moreColumns] as const)
  return (
    <Modal
      name={`${title}: ${tab.label}`}
      title={
        <>
          {title} <span class="quiet">{tab.label}</span>
        </>
      }
      aside={
        <ListFile
          name={`${title} ${tab.label}`}
          make={() => board.data.listFile('getWebsiteExpandedMetrics', question)}
        />
      }
      close={close}
    >
      <SearchField
        label="Search"
        search={search}
        setSearch={(text) => {
          setSearch(text)
          setLimit(step)
        }}
      />
      <div class={isLoading ? 'whole-rows waits' : 'whole-rows'}>
        {error ? <Fault error={error} retry={retry} /> : null}
        {!error && !rows && <RowBones count={12} />}
        {rows?.length === 0 && <p class="empty">Nothing matches.</p>}
        {!error && rows && rows.length > 0 && <Rows rows={rows} columns={columns} greatest={rows[0]?.count ?? 1} />}
        {!error && value && <More isLonger={value.length > limit} {...{ limit, setLimit }} />}
      </div>
    </Modal>
  )
}
