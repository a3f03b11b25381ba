import type { Session } from '../../session/session.ts'
import { SecondFactors } from './second-factors.tsx'
import { Teams } from './teams.tsx'
import { Users } from './users.tsx'

/** All users and teams, for admins. */
export const People = ({ session }: { readonly session: Session }) => (
  <>
    <Users session={session} />
    <Teams session={session} />
    <SecondFactors client={session.client} />
  </>
)
