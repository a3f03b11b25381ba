import { WeirError } from '@weir/client'
import { reasonOf } from '../session/reason.ts'

/** Whether a website is not there, or closed to the user. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof WeirError && [400, 403, 404].includes(error.status ?? 0)

/** In place of a website: it is not there, it is closed to the user, or it cannot be read now. */
export const NoWebsite = ({ error }: { readonly error: unknown }) => (
  <main class="page">
    <h1>This website cannot be shown</h1>
    <p role="alert">{isAbsent(error) ? 'There is no such website, or you may not see it.' : reasonOf(error)}</p>
    <p>
      <a href="/websites">All your websites</a>
    </p>
  </main>
)
