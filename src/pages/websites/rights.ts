import type { WeirClient } from '@weir/client'
import { isRefusal } from '../parts/polling.ts'
import { isAbsent } from './no-website.tsx'

/** Whether an error means that the user may not do this, or that there is no such website. */
export const isDenied = (error: unknown): boolean => isRefusal(error) || isAbsent(error)

/** Whether the user may change the website. Only then may the user see its shares. */
export const mayChange = (client: WeirClient, websiteId: string, signal: AbortSignal): Promise<boolean> =>
  client.getWebsiteShares({ websiteId, pageSize: 1 }, { signal }).then(
    () => true,
    (error) => (isDenied(error) ? false : Promise.reject(error)),
  )
