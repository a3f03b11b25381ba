/** The format with one JSON value per line. */
export const ndjson = 'application/x-ndjson'

/** A stream of texts and bytes. Each piece is created once the reader has received the previous one. */
export function textStream(texts: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await texts.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      },
      cancel: async () => void (await texts.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}
