import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Ending } from '../ending.tsx'
import { useKeptFocus } from '../use-kept-focus.ts'

interface ItemProps {
  readonly name: string
  /** The text of the button that opens the form. */
  readonly edit: string
  readonly form: (stop: () => void) => ComponentChildren
  readonly warning: string
  readonly end: () => Promise<unknown>
  /** Further buttons. */
  readonly more?: ComponentChildren
  readonly children: ComponentChildren
}

/** An object that an owner created, with controls to view, change and delete it. */
export function Item({ name, edit, form, warning, end, more, children }: ItemProps) {
  const [isChanging, setChanging] = useState(false)
  const root = useKeptFocus<HTMLLIElement>(isChanging)
  return (
    <li class="item" ref={root}>
      <div>{children}</div>
      {isChanging ? (
        form(() => setChanging(false))
      ) : (
        <p class="buttons">
          {more}
          <button type="button" class="control" onClick={() => setChanging(true)}>
            {edit}
            <span class="unseen"> {name}</span>
          </button>
          <Ending verb="Delete" what={name} warning={warning} end={end} />
        </p>
      )}
    </li>
  )
}
