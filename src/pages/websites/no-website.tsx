import { WeirError } from '@weir/client'
import { reasonOf } from '../session/reason.ts'

/** Whether a website does not exist, or is not open to the user. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof WeirError && [400, 403, 404].includes(error.status ?? 0)

/** Replaces a website that does not exist, is not open to the user, or cannot be read now. */
export const NoWebsite = ({ error }: { readonly error: unknown }) => (
  <main class="page">
    <h1>This website cannot be shown</h1>
    <p role="alert">{isAbsent(error) ? 'There is no such website, or you may not see it.' : reasonOf(error)}</p>
    <p>
      <a href="/websites">All your websites</a>
    </p>
  </main>
)
