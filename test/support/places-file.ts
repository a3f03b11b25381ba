import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

type Value = string | number | readonly Value[] | { readonly [name: string]: Value }

/** The header of a value in MaxMind's format, with its type and size. Sizes from 29 on take another byte. */
function control(type: number, size: number): number[] {
  const first = Math.min(size, 29)
  const rest = size < 29 ? [] : [size - 29]
  return type > 7 ? [first, type - 7, ...rest] : [(type << 5) | first, ...rest]
}

function encoded(value: Value): number[] {
  if (typeof value === 'string') {
    const bytes = [...Buffer.from(value)]
    return [...control(2, bytes.length), ...bytes]
  }
  if (typeof value === 'number') {
    const bytes = [24, 16, 8, 0].map((bits) => (value >> bits) & 255)
    return [...control(6, bytes.length), ...bytes]
  }
  if (Array.isArray(value)) return [...control(11, value.length), ...value.flatMap(encoded)]
  const entries = Object.entries(value as Record<string, Value>)
  return [...control(7, entries.length), ...entries.flatMap(([name, one]) => [...encoded(name), ...encoded(one)])]
}

/** A file of locations in MaxMind's format, with an entry per CIDR block. IPv4 is in `::/96`, as in MaxMind's files. */
export function placesFile(entries: Readonly<Record<string, Value>>): Buffer {
  const nodes: (number | { entry: number } | undefined)[][] = [[undefined, undefined]]
  const data: number[] = []
  for (const [block, value] of Object.entries(entries)) {
    const [address = '', bits] = block.split('/')
    const bytes = [...(isIPv4(address) ? Array<number>(12).fill(0) : []), ...ipaddr.parse(address).toByteArray()]
    const depth = Number(bits) + (isIPv4(address) ? 96 : 0)
    let node = 0
    for (let at = 0; at < depth; at++) {
      const side = (bytes[at >> 3]! >> (7 - (at & 7))) & 1
      if (at === depth - 1) nodes[node]![side] = { entry: data.length }
      else if (typeof nodes[node]![side] === 'number') node = nodes[node]![side] as number
      else {
        nodes[node]![side] = nodes.length
        node = nodes.push([undefined, undefined]) - 1
      }
    }
    data.push(...encoded(value))
  }
  const record = (one: (typeof nodes)[number][number]) =>
    one === undefined ? nodes.length : typeof one === 'number' ? one : nodes.length + 16 + one.entry
  const tree = nodes.flat().flatMap((one) => [16, 8, 0].map((shift) => (record(one) >> shift) & 255))
  const about = { node_count: nodes.length, record_size: 24, ip_version: 6, database_type: 'Test', build_epoch: 1 }
  const versions = { binary_format_major_version: 2, binary_format_minor_version: 0, languages: ['en'] }
  const separator = Array<number>(16).fill(0)
  const marker = [0xab, 0xcd, 0xef, ...Buffer.from('MaxMind.com')]
  return Buffer.from([...tree, ...separator, ...data, ...marker, ...encoded({ ...about, ...versions })])
}
