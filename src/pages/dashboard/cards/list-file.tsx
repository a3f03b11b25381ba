import { FileButton } from '../parts/file-button.tsx'
import { useBoard } from './context.ts'

interface ListFileProps {
  /** The file name without its extension. */
  readonly name: string
  readonly make: () => Promise<Blob>
}

/** A button that saves a list as CSV, if the viewer may export. */
export function ListFile({ name, make }: ListFileProps) {
  const { opening } = useBoard()
  if (!opening.allowExport) return null
  return (
    <div class="list-end">
      <FileButton name={`${name}.csv`} make={make}>
        CSV
      </FileButton>
    </div>
  )
}
