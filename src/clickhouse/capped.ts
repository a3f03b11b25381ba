/** The largest answer that the Worker holds whole, in bytes. It has 128 MB of memory. */
export const maxAnswerBytes = 64 * 1024 * 1024

/** Limits the answer to `maxAnswerBytes`: beyond it, reading fails and the connection is closed. */
export function capped(answer: Response): Response {
  const length = answer.headers.get('content-length')
  if (!answer.body || (length !== null && Number(length) <= maxAnswerBytes)) return answer
  let left = maxAnswerBytes
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength
      if (left >= 0) controller.enqueue(chunk)
      else controller.error(new Error(`The answer of ClickHouse is longer than ${maxAnswerBytes} bytes.`))
    },
  })
  return new Response(answer.body.pipeThrough(counting), answer)
}
