import { ListCard } from '../list-card.tsx'
import { fieldTab, type MetricTab } from '../metric-rows.ts'

const end = (name: 'entry' | 'exit', label: string): MetricTab => ({
  ...{ name, label, type: name, kind: name, field: 'path', sections: ['overview'] },
  columns: [`${label} page`, 'Visitors'],
})

const tabs: readonly MetricTab[] = [
  { ...fieldTab('path', 'Top', 'Page', ['overview', 'compare']), name: 'top' },
  end('entry', 'Entry'),
  end('exit', 'Exit'),
  fieldTab('title', 'Titles', 'Title', ['overview']),
]

/** Pages, entry pages and exit pages. */
export const Pages = () => <ListCard name="pages" title="Pages" tabs={tabs} />
