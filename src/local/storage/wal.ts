import { readFileSync } from 'node:fs'

/** The lengths in bytes of an SQLite write-ahead log's header and of a frame's header (sqlite.org/fileformat2.html). */
const [headerLength, frameHeaderLength] = [32, 24]

/** The magic number. If its last bit is set, checksums read words in big-endian order. */
const magic = 0x377f0682

type Sums = readonly [number, number]

/**
 * The number of transactions in a write-ahead log that SQLite skips, because they or earlier ones are damaged. Remains
 * of an earlier use of the file are not counted, because their salts differ.
 */
export function lostTransactions(file: string): number {
  const wal = readFileSync(file)
  if (wal.length < headerLength) return 0
  const isBig = wal.readUInt32BE(0) === magic + 1
  const start = sumsOf(wal.subarray(0, 24), isBig, [0, 0])
  let isWhole = isSame(start, wal, 24) && (isBig || wal.readUInt32BE(0) === magic)
  if (!isWhole) return 1
  const [size, salts] = [frameHeaderLength + wal.readUInt32BE(8), wal.subarray(16, 24)]
  let [sums, lost] = [start, 0]
  for (let place = headerLength; place + size <= wal.length; place += size) {
    const isOwn = salts.equals(wal.subarray(place + 8, place + 16))
    sums = sumsOf(wal.subarray(place, place + 8), isBig, sums)
    sums = sumsOf(wal.subarray(place + frameHeaderLength, place + size), isBig, sums)
    isWhole &&= isOwn && isSame(sums, wal, place + 16)
    const isCommit = wal.readUInt32BE(place + 4) > 0
    if (!isWhole && isOwn && isCommit) lost++
  }
  return lost
}

const isSame = ([first, second]: Sums, wal: Buffer, place: number): boolean =>
  wal.readUInt32BE(place) === first && wal.readUInt32BE(place + 4) === second

/** Updates a checksum with these bytes. */
function sumsOf(bytes: Buffer, isBig: boolean, [one, other]: Sums): Sums {
  let [first, second] = [one, other]
  for (let place = 0; place < bytes.length; place += 8) {
    first = (first + (isBig ? bytes.readUInt32BE(place) : bytes.readUInt32LE(place)) + second) >>> 0
    second = (second + (isBig ? bytes.readUInt32BE(place + 4) : bytes.readUInt32LE(place + 4)) + first) >>> 0
  }
  return [first, second]
}
