import { ListCard } from '../list-card.tsx'
import type { MetricTab } from '../metric-rows.ts'

const sections = ['overview', 'compare', 'sessions'] as const

const tab = (name: 'browser' | 'os' | 'device', label: string, head: string): MetricTab => ({
  ...{ name, label, type: name, kind: name, field: name },
  columns: [head, 'Visitors'],
  sections,
})

const tabs: readonly MetricTab[] = [
  tab('browser', 'Browsers', 'Browser'),
  tab('os', 'Systems', 'System'),
  tab('device', 'Devices', 'Device'),
  {
    ...{ name: 'screen', label: 'Screens', type: 'screen', kind: 'screen', field: undefined },
    columns: ['Screen', 'Visitors'],
    sections: ['compare', 'sessions'],
  },
]

/** What visitors use. */
export const Devices = () => <ListCard name="devices" title="Devices" tabs={tabs} />
