import { useState } from 'preact/hooks'
import { Modal } from '../parts/modal.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { useBoard } from './context.ts'
import { ListFile } from './list-file.tsx'
import { LongList } from './long-list.tsx'
import { expandedRowsOf, type MetricTab, moreColumns } from './metric-rows.ts'

interface WholeListProps {
  readonly title: string
  readonly tab: MetricTab
  readonly close: () => void
}

/** The whole list in a dialog over the page, with a search field. */
export function WholeList({ title, tab, close }: WholeListProps) {
  const [search, setSearch] = useState('')
  const settled = useSettled(search)
  const board = useBoard()
  const question = { ...board.input, type: tab.type, ...(settled && { search: settled }) }
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
      <SearchField label="Search" {...{ search, setSearch }} />
      <div class="whole-rows">
        <LongList
          ask={(limit) => board.data.expanded({ ...question, limit })}
          rowsOf={(values) => expandedRowsOf(values, tab, board)}
          columns={tab.countsEvents ? tab.columns : [...tab.columns, ...moreColumns]}
          step={100}
        />
      </div>
    </Modal>
  )
}
