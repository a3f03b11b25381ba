import { ListCard } from '../list-card.tsx'
import type { MetricTab } from '../metric-rows.ts'

const sections = ['overview', 'compare'] as const

const campaign = (
  type: 'utmSource' | 'utmMedium' | 'utmCampaign' | 'utmContent' | 'utmTerm',
  label: string,
): MetricTab => ({
  ...{ name: type, label, type, kind: type, field: type },
  columns: [label, 'Visitors'],
  sections: ['compare', 'utm'],
})

const campaigns = [
  campaign('utmSource', 'Source'),
  campaign('utmMedium', 'Medium'),
  campaign('utmCampaign', 'Campaign'),
  campaign('utmContent', 'Content'),
  campaign('utmTerm', 'Term'),
]

const tabs: readonly MetricTab[] = [
  {
    ...{ name: 'channel', label: 'Channels', type: 'channel', kind: 'channel', field: undefined },
    columns: ['Channel', 'Visitors'],
    sections,
  },
  {
    ...{ name: 'referrer', label: 'Referrers', type: 'referrer', kind: 'referrer', field: 'referrer' },
    columns: ['Referrer', 'Visitors'],
    sections,
  },
  ...campaigns,
]

const group = { label: 'UTM', names: campaigns.map(({ name }) => name) }

/** Where visitors came from. */
export const Sources = () => <ListCard name="sources" title="Sources" tabs={tabs} group={group} />
