import { ListCard } from '../list-card.tsx'
import { fieldTab, type MetricTab } from '../metric-rows.ts'

const sections = ['overview', 'compare'] as const

const campaigns = [
  fieldTab('utmSource', 'Source', 'Source', ['compare', 'utm']),
  fieldTab('utmMedium', 'Medium', 'Medium', ['compare', 'utm']),
  fieldTab('utmCampaign', 'Campaign', 'Campaign', ['compare', 'utm']),
  fieldTab('utmContent', 'Content', 'Content', ['compare', 'utm']),
  fieldTab('utmTerm', 'Term', 'Term', ['compare', 'utm']),
]

const tabs: readonly MetricTab[] = [
  {
    ...{ name: 'channel', label: 'Channels', type: 'channel', kind: 'channel', field: undefined },
    columns: ['Channel', 'Visitors'],
    sections,
  },
  fieldTab('referrer', 'Referrers', 'Referrer', sections),
  ...campaigns,
]

const group = { label: 'UTM', names: campaigns.map(({ name }) => name) }

/** The sources of visits: referrers, channels and campaigns. */
export const Sources = () => <ListCard name="sources" title="Sources" tabs={tabs} group={group} />
