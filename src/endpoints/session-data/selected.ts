import { filters } from '../../request/filters.ts'
import { freeText, group, required } from '../../request/query-string.ts'
import { type Example, inRange, pageView, plan } from '../examples.ts'

/** Filters in which `pf_<property>` means a property of the session. */
export const sessionFilters = filters({ shorthand: 'sessionProperties' })

export const oneProperty = group({ propertyName: required(freeText('The exact name of the property.')) })

/** The declaration of a session data endpoint. */
export const aboutSessions = <const Name extends string, const Path extends string>(
  name: Name,
  path: Path,
  propertyName?: string,
) => ({
  name,
  path: `/api/websites/:websiteId/${path}` as const,
  sections: ['sessions'] as const,
  showsSessionProperties: true as const,
  example: {
    query: { ...inRange, ...(propertyName !== undefined && { propertyName }) },
    events: [pageView],
    calls: [plan],
  } satisfies Example,
})
