import { type WeirClient, WeirError } from '@weir/client'

/** Whether the user may change the website: only then they may see its shares. */
export const mayChange = (client: WeirClient, websiteId: string, signal: AbortSignal): Promise<boolean> =>
  client.getWebsiteShares({ websiteId, pageSize: 1 }, { signal }).then(
    () => true,
    (error) => {
      if (error instanceof WeirError && error.status === 403) return false
      throw error
    },
  )
