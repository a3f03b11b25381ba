import { ListCard } from '../list-card.tsx'
import type { MetricTab } from '../metric-rows.ts'

const sections = ['compare', 'events'] as const

const tabs: readonly MetricTab[] = [
  {
    ...{ name: 'event', label: 'Events', type: 'event', kind: 'event', field: 'event' },
    columns: ['Event', 'Times'],
    sections,
    countsEvents: true,
  },
]

/** What visitors did. */
export const Events = () => <ListCard name="events" title="Events" tabs={tabs} />
