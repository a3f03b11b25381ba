import { ListCard } from '../list-card.tsx'
import { fieldTab, type MetricTab } from '../metric-rows.ts'

const sections = ['overview', 'compare', 'sessions'] as const

const tabs: readonly MetricTab[] = [
  fieldTab('browser', 'Browsers', 'Browser', sections),
  fieldTab('os', 'Systems', 'System', sections),
  fieldTab('device', 'Devices', 'Device', sections),
  {
    ...{ name: 'screen', label: 'Screens', type: 'screen', kind: 'screen', field: undefined },
    columns: ['Screen', 'Visitors'],
    sections: ['compare', 'sessions'],
  },
]

/** The devices, browsers and systems of visitors. */
export const Devices = () => <ListCard name="devices" title="Devices" tabs={tabs} />
