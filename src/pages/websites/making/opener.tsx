import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from '../../dashboard/parts/icons.tsx'
import { Modal } from '../../dashboard/parts/modal.tsx'

interface OpenerProps {
  /** The text of the button. */
  readonly text: string
  /** The title of the dialog. By default, the button's text. */
  readonly title?: string
  readonly icon: Parameters<typeof Icon>[0]['name']
  /** Whether the button shows only an icon. */
  readonly isBrief?: boolean
  readonly children: (close: () => void) => ComponentChildren
}

/** A button that opens a dialog with a form. */
export function Opener({ text, title = text, icon, isBrief = false, children }: OpenerProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" class="control is-plain opener" title={text} onClick={() => setOpen(true)}>
        <Icon name={icon} />
        <span class={isBrief ? 'unseen' : undefined}>{text}</span>
      </button>
      {isOpen && (
        <Modal name={title} title={title} close={close}>
          <div class="making">{children(close)}</div>
        </Modal>
      )}
    </>
  )
}
