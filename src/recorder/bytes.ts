/**
 * Snapshots are long, and encoding them piece by piece in the same buffer is several times faster than encoding them at
 * once.
 */
const [most, perCharacter] = [65_536, 3]
const encoder = new TextEncoder()

/** The UTF-8 bytes of a string, piece by piece. Each piece overwrites the previous one. */
function* piecesOf(text: string): Generator<Uint8Array<ArrayBuffer>> {
  const memory = new Uint8Array(perCharacter * Math.min(text.length, most + 1))
  for (let start = 0; start < text.length; ) {
    let end = start + most
    // A surrogate pair must stay together.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++
    const { written } = encoder.encodeInto(text.slice(start, end), memory)
    yield memory.subarray(0, written)
    start = end
  }
}

/** The length of a string in UTF-8, in bytes. */
export function bytesOf(text: string): number {
  let bytes = 0
  for (const piece of piecesOf(text)) bytes += piece.length
  return bytes
}
