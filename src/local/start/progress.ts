/** Shows the progress of a task. */
export interface Progress {
  advance(by: number): void
  done(message: string): void
}

/** The stream on which progress is shown (stderr). */
interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const barWidth = 30

/** Moves to the start of the line, and clears it. */
const again = '\r\u001b[K'

/**
 * Shows how much of `total` is done. On a terminal, this is a bar without colours. Elsewhere, in a log or a terminal
 * that cannot move the cursor, it prints one line for each quarter.
 */
export function showProgress(
  task: string,
  total: number,
  out: Terminal,
  { TERM }: Readonly<{ TERM?: string | undefined }>,
): Progress {
  const isDrawn = out.isTTY === true && TERM !== 'dumb'
  let sum = 0
  const part = () => Math.min(1, total === 0 ? 1 : sum / total)
  const counted = () => `${sum.toLocaleString('en')} of ${total.toLocaleString('en')}`
  const bar = () => {
    const filled = Math.floor(part() * barWidth)
    return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${Math.floor(part() * 100)} %  ${counted()}`
  }
  out.write(`${task}: ${total.toLocaleString('en')} events …\n`)
  if (isDrawn) out.write(bar())
  return {
    advance(by) {
      const before = Math.floor(part() * 4)
      sum += by
      if (isDrawn) out.write(again + bar())
      else if (Math.floor(part() * 4) > before && part() < 1) out.write(`${task}: ${counted()}\n`)
    },
    done: (message) => void out.write(`${isDrawn ? again : ''}${message}\n`),
  }
}
