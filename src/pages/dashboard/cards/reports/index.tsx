import { ListCard } from '../list-card.tsx'
import type { ViewTab } from '../metric-rows.ts'
import { Attribution } from './attribution.tsx'
import { Breakdown } from './breakdown.tsx'
import { Journeys } from './journeys.tsx'

const tabs: readonly ViewTab[] = [
  { name: 'journeys', label: 'Journeys', sections: ['journeys'], view: Journeys },
  { name: 'attribution', label: 'Attribution', sections: ['attribution'], view: Attribution },
  { name: 'breakdown', label: 'Breakdown', sections: ['breakdown'], view: Breakdown },
]

/** Journeys, attribution and breakdowns. */
export const Reports = () => <ListCard name="reports" title="Reports" tabs={tabs} />
