import { ListCard } from '../list-card.tsx'
import type { MetricTab, ViewTab } from '../metric-rows.ts'
import { Properties } from './properties.tsx'

const events: MetricTab = {
  ...{ name: 'event', label: 'Events', type: 'event', kind: 'event', field: 'event' },
  columns: ['Event', 'Times'],
  sections: ['compare', 'events'],
  countsEvents: true,
}

const tabs: readonly (MetricTab | ViewTab)[] = [
  events,
  { name: 'properties', label: 'Properties', sections: ['events'], view: Properties },
]

/** The custom events of visitors, and their properties. */
export const Events = () => <ListCard name="events" title="Events" tabs={tabs} />
