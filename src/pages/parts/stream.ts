/**
 * Reads a live answer until it ends. Yields each message as parsed JSON, and undefined if Weir has read the answer
 * again without a change.
 */
export async function* messagesOf(response: Response): AsyncGenerator<unknown> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) return
    const blocks = (rest + part.value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      if (block === ':') yield undefined
      const lines = block.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
      if (lines.length > 0) yield JSON.parse(lines.join('\n'))
    }
  }
}
