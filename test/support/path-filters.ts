/** Every operator on paths. Some views match each filter. */
export const pathFilters: readonly Record<string, string>[] = [
  { path: '/a' },
  { path: '/' },
  { path: '/a,/b,/none' },
  { path: 'neq./a' },
  { path: 'neq.,/' },
  { path: 'c.B' },
  { path: 'dnc.a' },
  { path: 're.^/[ab]$' },
  { path: 'nre.^/$' },
  { path: 'c.A', path1: 'neq./b' },
  { path: '/a', path1: 're.^/c', match: 'any' },
]

/** Filters on paths that chains cannot answer. */
export const unansweredPaths: readonly Record<string, string>[] = [
  { path: '/a', browser: 'chrome', match: 'any' },
  { path: '/a', excludeBounce: 'true' },
]

/** Further filters, some of them combined with filters on visitors. */
export const otherPathFilters: readonly Record<string, string>[] = [
  { path: '' },
  { path: '/none' },
  { path: '/a', city: 'c.port' },
  { path: 'neq./', country: 'DE,US', os: '' },
  { path: 're.^/[ab]$', language: 'en' },
  ...unansweredPaths,
]
