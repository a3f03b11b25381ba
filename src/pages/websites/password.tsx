import { Field } from './field.tsx'

interface NewPasswordProps {
  readonly name: string
  readonly label: string
  /** Whether a password is required. If not, an empty field keeps the current password. */
  readonly isNeeded?: boolean
}

/** A field for a new password. */
export const NewPassword = ({ name, label, isNeeded = false }: NewPasswordProps) => (
  <Field
    {...{ label, name, type: 'password', autocomplete: 'new-password', minLength: 8, maxLength: 256 }}
    required={isNeeded}
    hint={isNeeded ? 'At least 8 characters.' : 'Leave it empty to keep the current one.'}
  />
)
