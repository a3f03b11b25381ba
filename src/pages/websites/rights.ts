import type { WeirClient } from '@weir/client'
import { isRefusal } from '../parts/polling.ts'
import { isAbsent } from './no-website.tsx'

/** Whether the user may change the website. Only then may the user see its shares. */
export const mayChange = (client: WeirClient, websiteId: string, signal: AbortSignal): Promise<boolean> =>
  client.getWebsiteShares({ websiteId, pageSize: 1 }, { signal }).then(
    () => true,
    (error) => (isRefusal(error) || isAbsent(error) ? false : Promise.reject(error)),
  )
