import { Icon } from './icons.tsx'

interface SearchFieldProps {
  readonly label: string
  /** The placeholder, which says what is searched. */
  readonly hint?: string
  readonly search: string
  readonly setSearch: (search: string) => void
}

/** A field that filters the list below it. */
export const SearchField = ({ label, hint = label, search, setSearch }: SearchFieldProps) => (
  <label class="search">
    <Icon name="search" />
    <span class="unseen">{label}</span>
    <input
      type="search"
      placeholder={hint}
      maxLength={200}
      value={search}
      onInput={({ currentTarget }) => setSearch(currentTarget.value)}
    />
  </label>
)
