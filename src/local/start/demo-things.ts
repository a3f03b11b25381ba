import type { metadata } from '../../metadata/metadata.ts'
import type { Website } from '../../metadata/website.ts'
import { dayLength } from '../../request/time-zone.ts'

/** The saved objects of the demo website, so that no card of its dashboard is empty. */
const goals = [
  { name: 'Signed up', parameters: { type: 'event', value: 'signup' } },
  { name: 'Looked at prices', parameters: { type: 'path', value: '/pricing' } },
  { name: 'Bought something', parameters: { type: 'event', value: 'purchase' } },
]

const funnel = {
  name: 'From the cart to a purchase',
  parameters: {
    window: 60,
    steps: [
      { type: 'path', value: '/cart' },
      { type: 'path', value: '/checkout' },
      { type: 'event', value: 'purchase' },
    ],
  },
}

const phones = { filters: [{ name: 'device', operator: 'eq', value: 'mobile' }] }

/** Notes, by the number of days between their date and today. */
const notes = new Map([
  [19, 'A campaign began.'],
  [5, 'The checkout has one page less.'],
])

/** Saves goals, a funnel, a segment and notes of the demo website. */
export async function saveDemoThings(
  { reports, segments, annotations, store }: ReturnType<typeof metadata>,
  website: Website,
): Promise<void> {
  const [{ userId }, today] = [website, Math.floor(store.now / dayLength) * dayLength]
  for (const goal of goals) await reports.create(website, { userId, type: 'goal' }, { ...goal, description: '' }, null)
  await reports.create(website, { userId, type: 'funnel' }, { ...funnel, description: '' }, null)
  await segments.create(website, { type: 'segment', name: 'On phones', parameters: phones }, null)
  for (const [ago, note] of notes) {
    await annotations.create(website, userId, { date: today - ago * dayLength, allDay: true, note }, null)
  }
}
