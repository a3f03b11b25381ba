import { Icon } from './icons.tsx'

interface SearchFieldProps {
  readonly label: string
  /** What the search looks at. */
  readonly hint?: string
  readonly search: string
  readonly setSearch: (search: string) => void
}

/** A field whose text narrows the list below it. */
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
