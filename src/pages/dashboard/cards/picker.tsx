import { Options } from '../../parts/options.tsx'

interface PickerProps {
  readonly label: string
  /** The names, or their labels by name. */
  readonly all: readonly string[] | Readonly<Record<string, string>>
  readonly chosen: string
  readonly choose: (name: string) => void
}

const isList = (all: PickerProps['all']): all is readonly string[] => Array.isArray(all)

/** A choice among names, above a list. */
export const Picker = ({ label, all, chosen, choose }: PickerProps) => (
  <label>
    <span class="quiet">{label}</span>
    <select value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
      <Options of={isList(all) ? all.map((name) => [name, name]) : Object.entries(all)} />
    </select>
  </label>
)
