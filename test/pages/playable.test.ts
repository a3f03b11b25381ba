import { expect, it } from 'vitest'
import { playable } from '../../src/pages/player/playable.ts'

/** A page with this element, as it is replayed. */
function played(tagName: string, attributes: object) {
  const node = { type: 0, id: 1, childNodes: [{ type: 2, id: 2, tagName, attributes, childNodes: [] }] }
  const event = playable(JSON.stringify({ type: 2, timestamp: 1, data: { node } }))
  return event!.data.node.childNodes[0]
}

it.each(['iframe', 'IFRAME', 'iFrame'])('a replay does not show a document in a frame: %s', (tagName) => {
  const attributes = { src: 'https://evil.example/', SRCDOC: '<p>', width: '300' }
  expect(played(tagName, attributes)).toMatchObject({ tagName, attributes: { width: '300' } })
  expect(Object.keys(played(tagName, attributes).attributes)).toEqual(['width'])
})

it('a replay shows images that have a URL', () => {
  expect(played('img', { src: 'https://example.com/a.png' }).attributes).toEqual({ src: 'https://example.com/a.png' })
})
