import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icons.tsx'

interface DisclosureProps {
  /** The content of the button. */
  readonly summary: ComponentChildren
  /** A description of the button. */
  readonly label: string
  readonly name: string
  readonly children: (close: () => void) => ComponentChildren
}

/** A button that opens a panel over the page. Escape, a click outside, and leaving the panel by Tab close it. */
export function Disclosure({ summary, label, name, children }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false)
  const [root, button] = [useRef<HTMLDivElement>(null), useRef<HTMLButtonElement>(null)]
  const id = useId()
  useLayoutEffect(() => {
    if (!isOpen) return
    const chosen = root.current?.querySelector<HTMLElement>('[aria-current=true]')
    ;(chosen ?? root.current?.querySelector<HTMLElement>('.panel :is(button, select)'))?.focus()
    const leave = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', leave)
    addEventListener('focusin', leave)
    return () => {
      removeEventListener('pointerdown', leave)
      removeEventListener('focusin', leave)
    }
  }, [isOpen])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // A dialog within the panel, and a form in it, handle their own keys.
    if (event.defaultPrevented || (event.target as Element).closest('dialog')) return
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      close()
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!isOpen) setOpen(true)
      else if (!move(root.current, event.key === 'ArrowDown' ? 1 : -1)) return
      event.preventDefault()
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons within bubble up to here.
    <div class="disclosure" data-name={name} ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="control"
        ref={button}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span class="unseen">{label}: </span>
        {summary}
        <Icon name="down" />
      </button>
      {isOpen && (
        <div class="panel" id={id}>
          {children(close)}
        </div>
      )}
    </div>
  )
}

/** Moves the focus among the choices of the panel. Returns false if something other than a choice has the focus. */
function move(root: HTMLElement | null, step: number): boolean {
  // The choices below a search field are its results, so the arrow keys of that field move to them.
  if (document.activeElement?.matches('.panel :not([type=search], .choice)')) return false
  moveAmongChoices(root, step)
  return true
}

/**
 * Moves the focus to the next choice, or with -1 to the previous one. If no choice has the focus, moves to the first or
 * last choice.
 */
export function moveAmongChoices(root: HTMLElement | null, step: number): void {
  const choices = [...(root?.querySelectorAll<HTMLElement>('.choice') ?? [])]
  const place = choices.indexOf(document.activeElement as HTMLElement)
  choices.at(place < 0 && step > 0 ? 0 : (Math.max(place, 0) + step) % choices.length)?.focus()
}

interface ChoicesProps<Name extends string> {
  readonly label: string
  readonly all: readonly { readonly name: Name; readonly text: string; readonly hint?: string }[]
  readonly chosen: Name | undefined
  readonly choose: (name: Name) => void
}

/** A list from which one item can be chosen. */
export function Choices<Name extends string>({ label, all, chosen, choose }: ChoicesProps<Name>) {
  return (
    <ul class="choices" aria-label={label}>
      {all.map(({ name, text, hint }) => (
        <li key={name}>
          <button
            type="button"
            class="choice"
            aria-current={name === chosen}
            data-value={name}
            onClick={() => choose(name)}
          >
            <span>{text}</span>
            {hint && <span class="quiet">{hint}</span>}
            {name === chosen && <Icon name="check" />}
          </button>
        </li>
      ))}
    </ul>
  )
}
