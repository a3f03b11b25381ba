import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface SearchProps {
  readonly label: string
  /** The parameter in the query string. */
  readonly name: string
  readonly query: URLSearchParams
  readonly go: (change: Readonly<Record<string, string>>) => void
}

/** A field that filters a list. It takes effect on Enter, and when the user leaves the field. */
export function Search({ label, name, query, go }: SearchProps) {
  const field = useRef<HTMLInputElement>(null)
  const given = query.get(name) ?? ''
  const [typed, setTyped] = useState(given)
  useLayoutEffect(() => setTyped(given), [given])
  const ask = () => {
    const text = field.current?.value.trim() ?? ''
    if (text !== given) go({ [name]: text, page: '' })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <label>
        {label}{' '}
        <input
          {...{ ref: field, type: 'search', name, value: typed, maxLength: 200 }}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={ask}
        />
      </label>
    </form>
  )
}
