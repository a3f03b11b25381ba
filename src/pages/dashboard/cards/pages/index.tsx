import { ListCard } from '../list-card.tsx'
import type { MetricTab } from '../metric-rows.ts'

const columns = ['Page', 'Visitors'] as const

const tabs: readonly MetricTab[] = [
  { name: 'top', label: 'Top', type: 'path', kind: 'path', field: 'path', columns, sections: ['overview', 'compare'] },
  {
    name: 'entry',
    label: 'Entry',
    type: 'entry',
    kind: 'entry',
    field: 'path',
    columns: ['Entry page', 'Visitors'],
    sections: ['overview'],
  },
  {
    name: 'exit',
    label: 'Exit',
    type: 'exit',
    kind: 'exit',
    field: 'path',
    columns: ['Exit page', 'Visitors'],
    sections: ['overview'],
  },
  {
    name: 'title',
    label: 'Titles',
    type: 'title',
    kind: 'title',
    field: 'title',
    columns: ['Title', 'Visitors'],
    sections: ['overview'],
  },
]

/** The pages that visitors saw, came to first, and saw last. */
export const Pages = () => <ListCard name="pages" title="Pages" tabs={tabs} />
