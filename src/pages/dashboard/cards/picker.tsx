interface PickerProps {
  readonly label: string
  readonly all: readonly string[]
  /** What viewers read; by default the names. */
  readonly textOf?: (name: string) => string
  readonly chosen: string
  readonly choose: (name: string) => void
}

/** Chooses one of some names, above a list. */
export const Picker = ({ label, all, textOf = (name) => name, chosen, choose }: PickerProps) => (
  <label>
    <span class="quiet">{label}</span>
    <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      {all.map((name) => (
        <option key={name} value={name}>
          {textOf(name)}
        </option>
      ))}
    </select>
  </label>
)
