import { reasonOf } from './reason.ts'

/** Shows why something cannot be read, with a button to try again. */
export const Failed = ({ error, again }: { readonly error: unknown; readonly again: () => void }) => (
  <div class="notice" role="alert">
    <p>{reasonOf(error)}</p>
    <button type="button" class="control" onClick={again}>
      Try again
    </button>
  </div>
)
