/** A bug that replaces `from`, which must occur exactly once in `file`, with `to`. */
export interface Bug {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  /** The report that the bug affects. Only tests whose names contain the report are run. */
  readonly report: string
}

/** Bugs that the rules must find. Each is a likely omission in a report. */
export const bugs: readonly Bug[] = [
  {
    name: 'a filter ignored',
    file: 'src/endpoints/revenue/stats.ts',
    from: 'const current = { scope, period, filters }',
    to: 'const current = { scope, period, filters: { ...filters, fields: [] } }',
    report: 'getWebsiteRevenueStats',
  },
  {
    name: 'a lock ignored',
    file: 'src/endpoints/sessions/stats.ts',
    from: 'counted({ scope, period, filters }',
    to: 'counted({ scope: { ...scope, only: [] }, period, filters }',
    report: 'getWebsiteSessionStats',
  },
  {
    name: 'a reset ignored',
    file: 'src/endpoints/sessions/stats.ts',
    from: 'counted({ scope, period, filters }',
    to: 'counted({ scope: { ...scope, since: undefined }, period, filters }',
    report: 'getWebsiteSessionStats',
  },
  {
    name: 'an end of the range ignored',
    file: 'src/endpoints/sessions/weekly.ts',
    from: '{ scope, period, filters },\n',
    to: '{ scope, period: { ...period, endAt: period.endAt + 86_400_000 }, filters },\n',
    report: 'getWebsiteSessionsWeekly',
  },
  {
    name: 'a zone ignored',
    file: 'src/endpoints/sessions/weekly.ts',
    from: "kind: 'hour of week', zone }",
    to: "kind: 'hour of week', zone: zone && 'UTC' }",
    report: 'getWebsiteSessionsWeekly',
  },
  {
    ...{ name: 'a custom event that does not prevent a bounce', file: 'src/query/figures/figures.ts' },
    ...{ from: 'sum(events + 2 * customs) as weight', to: 'sum(events) as weight' },
    report: 'getWebsiteExpandedMetrics',
  },
  {
    ...{ name: 'a section left open', file: 'src/endpoints/sessions/stats.ts', from: "sections: ['sessions']," },
    ...{ to: "sections: ['sessions', 'events'],", report: 'getWebsiteSessionStats' },
  },
  {
    name: 'a count cut silently',
    file: 'src/query/lists/counted-list.ts',
    from: 'total: list.total }),',
    to: 'total: list.rows.length }),',
    report: 'getEventDataEvents',
  },
]
