import type { Kind } from './source.ts'

/** Umami's table for each kind. */
export const tableOfKind: Readonly<Record<Kind, string>> = {
  events: 'website_event',
  sessionData: 'session_data',
  replays: 'session_replay',
  heatmaps: 'heatmap_event',
}

/** The columns read from properties, and from tables other than events. */
export const columnsOfKind = {
  sessionData: [
    ...['website_id', 'session_id', 'data_key', 'string_value', 'number_value', 'date_value', 'data_type'],
    ...['distinct_id', 'created_at'],
  ],
  replays: ['website_id', 'session_id', 'visit_id', 'chunk_index', 'events', 'created_at'],
  heatmaps: [
    ...['heatmap_event_id', 'website_id', 'session_id', 'visit_id', 'url_path', 'event_type', 'created_at'],
    ...['x', 'y', 'viewport_w', 'viewport_h', 'page_x', 'page_y', 'page_w', 'page_h', 'scroll_pct'],
  ],
  properties: ['event_id', 'data_key', 'data_type', 'string_value', 'number_value', 'date_value'],
} as const
