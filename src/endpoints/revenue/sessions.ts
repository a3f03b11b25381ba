import { selectedSales } from '../../query/figures/sales.ts'
import { sql } from '../../query/language/sql.ts'
import type { ListedInput } from '../../query/lists/sessions.ts'
import { filters } from '../../request/filters.ts'
import { pages } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query, requestMoment } from '../../request/query-string.ts'
import { analysis } from '../endpoint.ts'
import { inRange } from '../examples.ts'
import { sessionList, sessionSearch } from '../sessions/sessions.ts'
import { currencyGroup, type SalesInput, sale } from './sales.ts'

export const getWebsiteRevenueSessions = analysis({
  name: 'getWebsiteRevenueSessions',
  path: '/api/websites/:websiteId/revenue/sessions',
  sections: ['revenue'],
  summary: 'Sessions with a sale in a currency, last seen first, paged. Rows have the format of the session list.',
  example: { query: { ...inRange, currency: 'EUR' }, events: [sale] },
  query: query(range, currencyGroup, pages, sessionSearch, filters(), requestMoment),
  ...sessionList<ListedInput & SalesInput>(
    ({ currency }, selection) => sql`session_id global in (select session_id ${selectedSales(currency, selection)})`,
  ),
})
