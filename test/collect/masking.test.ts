import { describe, expect, it } from 'vitest'
import { Mask, type RecordedEvent } from '../../src/collect/masking.ts'

/** Tests which data never appears in a replay, whatever the recorder has sent. */

const element = (id: number, tagName: string, attributes: object = {}, childNodes: readonly object[] = []) => ({
  ...{ type: 2, id, tagName, attributes, childNodes },
})
const text = (id: number, textContent: string, more: object = {}) => ({ type: 3, id, textContent, ...more })
const snapshot = (...childNodes: readonly object[]) => ({
  type: 2,
  timestamp: 1,
  data: { node: { type: 0, id: 1, childNodes } },
})
const mutation = (data: object) => ({ type: 3, timestamp: 1, data: { source: 0, ...data } })

/** The events as they are stored. */
function masked(level: 'moderate' | 'strict', ...events: readonly object[]): object[] {
  const mask = new Mask(level)
  const parsed = JSON.parse(JSON.stringify(events)) as RecordedEvent[]
  for (const event of parsed) mask.event(event)
  return parsed
}

const fields = snapshot(
  element(2, 'INPUT', { type: 'text', value: 'secret', placeholder: 'Name' }),
  element(3, 'textarea', { value: 'secret' }, [text(4, 'secret')]),
  element(5, 'select', { value: 'secret' }, [element(6, 'option', { value: 'secret' }, [text(7, 'secret')])]),
  element(8, 'p', { title: 'Said', 'aria-label': 'Said' }, [text(9, 'Some words')]),
)

describe('a field', () => {
  it('has no value in a snapshot', () => {
    expect(JSON.stringify(masked('moderate', fields))).not.toContain('secret')
    expect(masked('moderate', fields)).toEqual([
      snapshot(
        element(2, 'INPUT', { type: 'text', value: '*', placeholder: 'Name' }),
        element(3, 'textarea', { value: '*' }, [text(4, '*')]),
        element(5, 'select', { value: '*' }, [element(6, 'option', { value: '*' }, [text(7, '*')])]),
        element(8, 'p', { title: 'Said', 'aria-label': 'Said' }, [text(9, 'Some words')]),
      ),
    ])
  })

  it('may be a custom element; an option’s label and the element that shows it are also masked', () => {
    const page = (value: string, shown: string) =>
      snapshot(
        element(2, 'x-field', { value }),
        element(3, 'select', {}, [element(4, 'option', { LABEL: value })]),
        element(5, 'optgroup', { label: 'Group' }),
        element(6, 'selectedcontent', {}, [text(7, shown)]),
      )
    expect(masked('moderate', page('secret', 'secret'))).toEqual([page('*', '******')])
  })

  it('has no value when it is added, even if its text was added before', () => {
    const added = mutation({
      adds: [
        { parentId: 20, node: text(21, 'secret') },
        { parentId: 1, node: element(20, 'textarea') },
        { parentId: 1, node: element(22, 'div', {}, [element(23, 'input', { value: 'secret' })]) },
      ],
      texts: [{ id: 21, value: 'secret' }],
    })
    expect(JSON.stringify(masked('moderate', added))).not.toContain('secret')
  })

  it('may be any element with editable text', () => {
    const [own, not] = [{ ContentEditable: '' }, { contenteditable: 'false' }]
    const given = (words: string, more: string) => [
      snapshot(
        element(2, 'div', own, [text(3, words), element(4, 'b', not, [text(5, words)])]),
        element(6, 'p', not, [text(7, 'Some words')]),
      ),
      mutation({
        adds: [{ parentId: 2, node: element(8, 'div', {}, [text(9, words)]) }],
        texts: [{ id: 3, value: more }],
      }),
    ]
    expect(masked('moderate', ...given('my secret', 'more'))).toEqual(given('** ******', '****'))
  })

  it('has no value in a change, for any element', () => {
    const changed = mutation({ attributes: [{ id: 2, attributes: { value: 'secret', class: 'x' } }] })
    expect(masked('moderate', changed)).toEqual([
      mutation({ attributes: [{ id: 2, attributes: { value: '*', class: 'x' } }] }),
    ])
    const gone = mutation({ attributes: [{ id: 2, attributes: { value: null } }] })
    expect(masked('moderate', gone)).toEqual([gone])
  })

  it('does not show which option is chosen or, in strict replays, whether a box is checked', () => {
    const given = (option: object, box: object) => [
      snapshot(element(2, 'option', option), element(3, 'input', box)),
      mutation({ attributes: [{ id: 2, attributes: option }] }),
      mutation({ attributes: [{ id: 3, attributes: box }] }),
    ]
    const page = given({ label: 'Secret', selected: true }, { checked: '' })
    expect(masked('moderate', ...page)).toEqual(given({ label: '*' }, { checked: '' }))
    expect(masked('strict', ...page)).toEqual(given({ label: '*' }, {}))
  })

  it('shows how long the typed text is, but in strict replays not whether a box is checked', () => {
    const typed = (data: object) => ({ type: 3, timestamp: 1, data: { source: 5, id: 2, ...data } })
    expect(masked('moderate', typed({ text: 'sécret🙂', isChecked: true }))).toEqual([
      typed({ text: '*'.repeat(8), isChecked: true }),
    ])
    expect(masked('strict', typed({ text: 'on', isChecked: true }))).toEqual([typed({ text: '**', isChecked: false })])
  })
})

describe('a strict replay', () => {
  it('has no text except white space and styles', () => {
    const page = snapshot(
      element(2, 'p', { title: 'Said', alt: 'Said', placeholder: 'Said', 'aria-label': 'Said', class: 'kept' }, [
        text(3, 'Some  words\n'),
      ]),
      element(4, 'style', {}, [text(5, 'p { color: red }', { isStyle: true })]),
      element(6, 'style', {}, [text(7, 'p { color: red }')]),
      { type: 5, id: 8, textContent: 'A comment' },
    )
    expect(masked('strict', page)).toEqual([
      snapshot(
        element(2, 'p', { title: '*', alt: '*', placeholder: '*', 'aria-label': '*', class: 'kept' }, [
          text(3, '****  *****\n'),
        ]),
        element(4, 'style', {}, [text(5, 'p { color: red }', { isStyle: true })]),
        element(6, 'style', {}, [text(7, 'p { color: red }')]),
        { type: 5, id: 8, textContent: '* *******' },
      ),
    ])
    const changed = mutation({
      texts: [
        { id: 90, value: 'New words' },
        { id: 91, value: null },
      ],
    })
    expect(masked('strict', changed)).toEqual([
      mutation({
        texts: [
          { id: 90, value: '*** *****' },
          { id: 91, value: null },
        ],
      }),
    ])
    expect(masked('moderate', changed)).toEqual([changed])
  })
})

describe('code', () => {
  it.each(['moderate', 'strict'] as const)('is removed from replays: %s', (level) => {
    const page = snapshot(
      element(2, 'script', { src: 'https://example.com/a.js' }, [text(3, 'evil()')]),
      element(4, 'noscript', {}, [element(5, 'i', {}, [text(6, 'evil()')])]),
      element(7, 'a', { href: ' java\nscript:evil()', onclick: 'evil()', ONLOAD: 'evil()' }),
      element(8, 'iframe', {
        ...{ src: 'data:text/html,<script>evil()</script>', srcdoc: 'evil()', rr_src: 'JavaScript:evil()' },
      }),
      element(9, 'object', { data: 'data:text/html,evil()' }),
    )
    const changed = mutation({ attributes: [{ id: 7, attributes: { href: 'javascript:evil()', onfocus: 'evil()' } }] })
    expect(JSON.stringify(masked(level, page, changed))).not.toContain('evil')
    expect(JSON.stringify(masked(level, page))).toContain('https://example.com/a.js')
  })
})

describe('a URL', () => {
  it('contains neither user name nor password', () => {
    const meta = (href: unknown) => ({ type: 4, timestamp: 1, data: { href, width: 1, height: 1 } })
    const changed = (url: string) => ({ type: 5, timestamp: 1, data: { tag: 'url-change', payload: { url } } })
    const given = 'https://ada:secret@example.com/a?b=c@d#e'
    const wanted = 'https://example.com/a?b=c@d#e'
    expect(masked('moderate', meta(given), changed(given))).toEqual([meta(wanted), changed(wanted)])
    const others = ['/just/a@path', 'https://example.com/a@b', 7, null].map(meta)
    expect(masked('moderate', ...others)).toEqual(others)
  })
})

describe('a value that is not an rrweb event', () => {
  it('is unchanged', () => {
    const odd = [
      { type: 2, timestamp: 1 },
      { type: 2, timestamp: 1, data: { node: 'x' } },
      { type: 2, timestamp: 1, data: { node: { type: 2, tagName: 7, attributes: [], childNodes: 'x' } } },
      { type: 3, timestamp: 1, data: { source: 0, adds: 'x', attributes: [null, 7], texts: [{}] } },
      { type: 99, timestamp: 1, data: null },
    ]
    expect(masked('strict', ...odd)).toEqual(odd)
  })

  const odds: readonly unknown[] = [null, 7, true, [], ['x'], {}, { toString: 0, valueOf: 0 }, [[{ toString: 0 }]]]

  it.each(odds.map((odd) => [odd] as const))('never causes a failure, wherever it is placed: %j', (odd) => {
    const places = [
      ...[2, 3, 4, 5, odd].map((type) => ({ type, timestamp: 1, data: odd })),
      ...[snapshot(odd as object), { type: 2, timestamp: 1, data: { node: odd } }],
      snapshot({ type: 2, id: odd, tagName: odd, attributes: odd, childNodes: odd }),
      snapshot(element(2, 'input', { value: odd, href: odd, title: odd, contenteditable: odd, onclick: odd })),
      ...[mutation({ adds: odd, texts: odd, attributes: odd, removes: odd }), mutation({ adds: [odd], texts: [odd] })],
      mutation({ adds: [{ parentId: odd, node: { type: 3, id: odd, textContent: odd, isStyle: odd } }] }),
      mutation({ texts: [{ id: odd, value: odd }], attributes: [{ id: odd, attributes: { value: odd, src: odd } }] }),
      { type: 3, timestamp: 1, data: { source: 5, id: odd, text: odd, isChecked: odd } },
      { type: 4, timestamp: 1, data: { href: odd } },
      { type: 5, timestamp: 1, data: { tag: odd, payload: { url: odd } } },
    ]
    for (const level of ['moderate', 'strict'] as const) expect(masked(level, ...places)).toHaveLength(places.length)
  })
})
