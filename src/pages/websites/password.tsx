interface NewPasswordProps {
  readonly name: string
  readonly label: string
  /** Left empty otherwise, the password stays. */
  readonly isNeeded?: boolean
}

/** The field of a new password. */
export const NewPassword = ({ name, label, isNeeded = false }: NewPasswordProps) => (
  <label class="field">
    {label}
    <input type="password" name={name} autocomplete="new-password" required={isNeeded} minLength={8} maxLength={256} />
    <small class="quiet">{isNeeded ? 'At least 8 characters.' : 'Left empty, it stays.'}</small>
  </label>
)
