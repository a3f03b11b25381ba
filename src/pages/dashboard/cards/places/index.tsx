import { ListCard } from '../list-card.tsx'
import type { MetricTab, ViewTab } from '../metric-rows.ts'
import { WorldMap } from './map.tsx'

const sections = ['overview', 'compare', 'sessions'] as const

const tab = (name: 'country' | 'region' | 'city', label: string, head: string): MetricTab => ({
  ...{ name, label, type: name, kind: name, field: name },
  columns: [head, 'Visitors'],
  sections,
})

const tabs: readonly (MetricTab | ViewTab)[] = [
  { name: 'map', label: 'Map', sections, view: WorldMap },
  tab('country', 'Countries', 'Country'),
  tab('region', 'Regions', 'Region'),
  tab('city', 'Cities', 'City'),
  {
    ...{ name: 'language', label: 'Languages', type: 'language', kind: 'language', field: undefined },
    columns: ['Language', 'Visitors'],
    sections: ['compare', 'sessions'],
  },
]

/** Where visitors are. */
export const Places = () => <ListCard name="places" title="Places" tabs={tabs} />
