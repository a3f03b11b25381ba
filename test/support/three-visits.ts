import { event, id, string, view } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'

const one: Partial<IngestRow> = { session_id: id(101), visit_id: id(201) }
const two: Partial<IngestRow> = { session_id: id(101), visit_id: id(202) }
const three: Partial<IngestRow> = { session_id: id(103), visit_id: id(203) }

/** Session 1's visit 1 has / and /pricing, with a purchase in between, and its visit 2 one page. Visit 3 has a link. */
export const threeVisits: readonly IngestRow[] = [
  view('10:00:00', { ...one, event_id: id(1), url_path: '/', browser: 'chrome' }),
  event({ ...one, event_id: id(2), event_name: 'purchase', browser: 'chrome', created_at: '2025-10-15 10:00:30.000' }, [
    string('plan', 'pro'),
  ]),
  view('10:01:30', { ...one, event_id: id(3), url_path: '/pricing', browser: 'firefox' }),
  view('11:00:00', { ...two, event_id: id(4), url_path: '/pricing', browser: 'firefox' }),
  event({ ...two, event_id: id(5), event_name: 'signup', created_at: '2025-10-15 11:30:00.000' }),
  view('12:00:00', { ...three, event_id: id(6), event_type: 3, url_path: '/go', browser: 'chrome' }),
  event({ ...three, event_id: id(7), event_type: 5, created_at: '2025-10-15 12:30:00.000' }),
]
