import type { InputHTMLAttributes } from 'preact'

type FieldProps = InputHTMLAttributes & {
  readonly label: string
  readonly hint?: string
  /** Whether browsers must not correct the typed text. */
  readonly isExact?: boolean
}

/** A labelled field of a form. */
export const Field = ({ label, hint, isExact = false, ...input }: FieldProps) => (
  <label class="field">
    {label}
    <input autocomplete="off" {...(isExact && { autocapitalize: 'none', spellcheck: false })} {...input} />
    {hint && <small class="quiet">{hint}</small>}
  </label>
)
