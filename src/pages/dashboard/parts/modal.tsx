import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icons.tsx'

interface ModalProps {
  /** The name for screen readers. */
  readonly name: string
  readonly title: ComponentChildren
  /** Shown beside the title. */
  readonly aside?: ComponentChildren
  readonly close: () => void
  readonly children: ComponentChildren
}

/** A dialog over the page. */
export function Modal({ name, title, aside, close, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null
    const shown = dialog.current
    shown?.showModal()
    return () => {
      // After Escape, the browser has already closed it and moved the focus, and the viewer may have gone on.
      if (!shown?.open) return
      shown.close()
      opener?.focus()
    }
  }, [])
  return (
    // A press outside the dialog closes it, like Escape. A text selection that only ends outside does not close it.
    <dialog
      ref={dialog}
      class="whole"
      aria-label={name}
      // After Back, the dialog is gone, and so is its part of the URL.
      onClose={() => dialog.current && close()}
      onMouseDown={({ target }) => target === dialog.current && close()}
    >
      <div class="whole-inside">
        <header class="card-head">
          <h2>{title}</h2>
          {aside}
          <button type="button" class="control is-plain" aria-label="Close" onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
