import { array, boolean, date, event, id, number, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'

/** The events for the official client's tests, as they are inserted and as the client returns them. */

/** A page view, two purchases and a sign-up, one second apart. The purchases have properties. */
export const rows = (website_id: string): IngestRow[] => [
  event({
    website_id,
    event_id: id(1),
    ...{ created_at: '2025-10-15 12:00:01.000', event_type: 1, hostname: 'example.com', url_path: '/pricing' },
    url_query: 'q=1',
    referrer_domain: 'google.com',
    referrer_path: '/search',
    referrer_query: 'q=weir',
    ...{ country: 'DE', city: 'Zürich', device: 'desktop', os: 'Linux', browser: 'firefox', page_title: 'Pricing' },
  }),
  event(
    {
      website_id,
      event_id: id(2),
      ...{ created_at: '2025-10-15 12:00:02.500', event_name: 'buy', url_path: '/buy', browser: 'chrome' },
    },
    [
      string('plan', 'pro'),
      number('price', '10.5000'),
      boolean('gift', true),
      date('at', '2025-10-14T22:00:00.000Z'),
      array('tags', ['a', 'b']),
    ],
  ),
  event(
    {
      ...{ website_id, event_id: id(3), created_at: '2025-10-15 12:00:03.000', event_name: 'buy' },
      ...{ session_id: id(101), visit_id: id(201), browser: 'firefox' },
    },
    [string('plan', 'free')],
  ),
  event({
    website_id,
    event_id: id(4),
    ...{ created_at: '2025-10-15 12:00:04.000', event_name: 'sign up', browser: 'firefox' },
  }),
]

const nothing = {
  ...{ hostname: '', urlPath: '', urlQuery: '', referrerPath: '', referrerQuery: '', referrerDomain: '' },
  ...{ country: '', city: '', device: '', os: '', pageTitle: '' },
}

export const events = (websiteId: string) => ({
  signUp: {
    ...nothing,
    ...{ id: id(4), websiteId, sessionId: id(100), visitId: id(200) },
    ...{ createdAt: '2025-10-15T12:00:04Z', browser: 'firefox', eventType: 2, eventName: 'sign up', hasData: 0 },
  },
  secondBuy: {
    ...nothing,
    ...{ id: id(3), websiteId, sessionId: id(101), visitId: id(201) },
    ...{ createdAt: '2025-10-15T12:00:03Z', browser: 'firefox', eventType: 2, eventName: 'buy', hasData: 1 },
  },
  firstBuy: {
    ...nothing,
    ...{ id: id(2), websiteId, sessionId: id(100), visitId: id(200) },
    ...{ createdAt: '2025-10-15T12:00:02Z', urlPath: '/buy', browser: 'chrome', eventType: 2, eventName: 'buy' },
    hasData: 1,
  },
  pageView: {
    ...{ id: id(1), websiteId, sessionId: id(100), visitId: id(200) },
    ...{ createdAt: '2025-10-15T12:00:01Z', hostname: 'example.com', urlPath: '/pricing' },
    urlQuery: 'q=1',
    referrerPath: '/search',
    referrerQuery: 'q=weir',
    ...{ referrerDomain: 'google.com', country: 'DE', city: 'Zürich', device: 'desktop', os: 'Linux' },
    ...{ browser: 'firefox', pageTitle: 'Pricing', eventType: 1, eventName: '', hasData: 0 },
  },
})

export const stored = { createdAt: '2025-10-15T12:00:02Z', numberValue: null, dateValue: null }

/** The first purchase's properties, by key. */
export const properties = [
  { ...stored, dataKey: 'at', stringValue: '2025-10-14T22:00:00.000Z', dateValue: '2025-10-14T22:00:00Z', dataType: 4 },
  { ...stored, dataKey: 'gift', stringValue: 'true', dataType: 3 },
  { ...stored, dataKey: 'plan', stringValue: 'pro', dataType: 1 },
  { ...stored, dataKey: 'price', stringValue: '10.5000', numberValue: 10.5, dataType: 2 },
  { ...stored, dataKey: 'tags', stringValue: '["a","b"]', dataType: 5 },
]

export const plan = {
  ...{ dataKey: 'plan', stringValue: 'free', numberValue: null, dateValue: null, dataType: 1 },
  createdAt: '2025-10-15T12:00:03Z',
}
