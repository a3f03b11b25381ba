import { ListCard } from '../list-card.tsx'
import { fieldTab, type MetricTab, type ViewTab } from '../metric-rows.ts'
import { WorldMap } from './map.tsx'

const sections = ['overview', 'compare', 'sessions'] as const

const tabs: readonly (MetricTab | ViewTab)[] = [
  { name: 'map', label: 'Map', sections, view: WorldMap },
  fieldTab('country', 'Countries', 'Country', sections),
  fieldTab('region', 'Regions', 'Region', sections),
  fieldTab('city', 'Cities', 'City', sections),
  fieldTab('language', 'Languages', 'Language', ['compare', 'sessions']),
]

/** Where visitors are. */
export const Places = () => <ListCard name="places" title="Places" tabs={tabs} />
