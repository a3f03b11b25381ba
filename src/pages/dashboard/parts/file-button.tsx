import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { saveFile } from '../../parts/save-file.ts'
import { reasonOf } from '../data/data.ts'
import { Icon } from './icons.tsx'

interface FileButtonProps {
  readonly name: string
  /** Undefined while the file's content is loading. */
  readonly make: (() => Promise<Blob>) | undefined
  readonly children: ComponentChildren
}

/** A button that creates a file and saves it. */
export function FileButton({ name, make, children }: FileButtonProps) {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly error?: unknown }>({ isBusy: false })
  const save = () => {
    setState({ isBusy: true })
    make?.().then(
      (file) => {
        saveFile(name, file)
        setState({ isBusy: false })
      },
      (error) => setState({ isBusy: false, error }),
    )
  }
  return (
    <>
      <button type="button" class="control is-plain" disabled={state.isBusy || !make} onClick={save}>
        <Icon name="save" /> {children}
        <span class="unseen">: {name}</span>
      </button>
      {state.error !== undefined && <p role="alert">{reasonOf(state.error)}</p>}
    </>
  )
}
