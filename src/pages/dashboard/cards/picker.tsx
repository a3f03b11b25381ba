import { Options } from '../../parts/options.tsx'

interface PickerProps {
  readonly label: string
  /** The names to choose from, or their labels by name. */
  readonly all: readonly string[] | Readonly<Record<string, string>>
  readonly chosen: string
  readonly choose: (name: string) => void
}

const isList = (all: PickerProps['all']): all is readonly string[] => Array.isArray(all)

/** A drop-down above a list, for choosing one of several names. */
export const Picker = ({ label, all, chosen, choose }: PickerProps) => (
  <label>
    <span class="quiet">{label}</span>
    <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      <Options of={isList(all) ? all.map((name) => [name, name]) : Object.entries(all)} />
    </select>
  </label>
)
