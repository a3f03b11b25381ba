interface ChoiceProps {
  readonly name: string
  readonly label: string
  /** The label of each value. */
  readonly all: Readonly<Record<string, string>>
  readonly chosen: string
}

/** A labelled drop-down for choosing one value. */
export const Choice = ({ name, label, all, chosen }: ChoiceProps) => (
  <label class="field">
    {label}
    <select name={name}>
      {Object.entries(all).map(([value, text]) => (
        <option key={value} value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </label>
)
