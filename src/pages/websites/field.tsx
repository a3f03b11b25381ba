import type { InputHTMLAttributes } from 'preact'

type FieldProps = InputHTMLAttributes & {
  readonly label: string
  readonly hint?: string
  /** Whether browsers should be kept from autocorrecting the text. */
  readonly isExact?: boolean
}

/** A form field with a label. */
export const Field = ({ label, hint, isExact = false, ...input }: FieldProps) => (
  <label class="field">
    {label}
    <input autocomplete="off" {...(isExact && { autocapitalize: 'none', spellcheck: false })} {...input} />
    {hint && <small class="quiet">{hint}</small>}
  </label>
)
