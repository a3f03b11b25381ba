import { useState } from 'preact/hooks'

interface CopyableProps {
  readonly text: string
  /** The name of the text in the button: `Copy the tag`. */
  readonly what: string
}

/** A text to paste elsewhere, with a button that copies it. */
export function Copyable({ text, what }: CopyableProps) {
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
    } catch {
      // Browsers refuse to copy without a secure origin or without permission.
      setSaid('Select the text to copy it')
    }
  }
  return (
    <div class="copyable">
      <pre>
        <code>{text}</code>
      </pre>
      <button type="button" class="control" onClick={copy}>
        Copy<span class="unseen"> {what}</span>
      </button>
      <span class="quiet" role="status">
        {said}
      </span>
    </div>
  )
}
