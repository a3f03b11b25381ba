import { useRef } from 'preact/hooks'

interface TabsProps {
  readonly label: string
  /** A prefix for the ids of the tabs and of their panel. */
  readonly id: string
  readonly tabs: readonly { readonly name: string; readonly label: string }[]
  readonly chosen: string
  readonly choose: (name: string) => void
}

/** Tabs above a panel. The arrow keys move between the tabs. */
export function Tabs({ label, id, tabs, chosen, choose }: TabsProps) {
  const root = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const isReversed = getComputedStyle(event.currentTarget as Element).direction === 'rtl'
    const step = { ArrowRight: isReversed ? -1 : 1, ArrowLeft: isReversed ? 1 : -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const place = tabs.findIndex(({ name }) => name === chosen)
    const next = tabs[(place + step + tabs.length) % tabs.length]
    if (!next) return
    choose(next.name)
    root.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={root} onKeyDown={onKeyDown}>
      {tabs.map(({ name, label: text }) => (
        <button
          key={name}
          type="button"
          role="tab"
          class="tab"
          id={`${id}-${name}`}
          data-tab={name}
          aria-selected={name === chosen}
          aria-controls={`${id}-panel`}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => choose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
