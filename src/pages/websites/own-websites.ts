import type { Session } from '../session/session.ts'

/** A page of the websites that the user sees: for an admin, all. */
export const ownWebsites = (
  { client, user }: Session,
  part: { readonly page?: number; readonly pageSize: number; readonly search?: string },
  signal: AbortSignal,
) =>
  user.isAdmin
    ? client.getAdminWebsites(part, { signal })
    : client.listWebsites({ includeTeams: 'true', ...part }, { signal })
