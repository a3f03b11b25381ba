import { describe, expect, it } from 'vitest'
import { FIELD_COLUMNS } from './conditions.ts'
import { event, eventsWith, found, id } from './fixtures.ts'

const browsers = (...texts: string[]) => eventsWith('browser', ...texts)

describe('operators', () => {
  const rows = browsers('chrome', 'Chrome', 'firefox', '')

  it.each([
    ['no operator means equals', 'browser=chrome', ['chrome']],
    ['eq takes a comma list', 'browser=eq.chrome,firefox', ['chrome', 'firefox']],
    ['a bare value takes a comma list', 'browser=chrome,firefox', ['chrome', 'firefox']],
    ['neq keeps the others, empty ones too', 'browser=neq.chrome,firefox', ['Chrome', '']],
    ['c contains, whatever the case', 'browser=c.HRO', ['chrome', 'Chrome']],
    ['dnc does not contain, and judges empty values', 'browser=dnc.HRO', ['firefox', '']],
    ['re searches, whatever the case', 'browser=re.^C.*e$', ['chrome', 'Chrome']],
    ['nre does not match, and judges empty values', 'browser=nre.^C', ['firefox', '']],
    ['an empty value is a value', 'browser=', ['']],
    ['an empty member of a list is one too', 'browser=firefox,', ['firefox', '']],
    ['everything contains nothing', 'browser=c.', ['chrome', 'Chrome', 'firefox', '']],
  ])('%s', (_sentence, query, expected) => {
    expect(found(rows, 'browser', query)).toEqual(expected)
  })

  it('ignores case for Unicode too, letter by letter', () => {
    expect(found(browsers('ДОМ', 'été', 'ete'), 'browser', 'browser=c.%D0%BE')).toEqual(['ДОМ'])
    expect(found(browsers('ДОМ', 'été', 'ete'), 'browser', 'browser=re.%C3%89T')).toEqual(['été'])
  })

  it('takes \\, for a comma inside a value, and any other backslash for itself', () => {
    const texts = browsers('a,b', 'a', 'b', 'x\\y', 'a\\')
    expect(found(texts, 'browser', 'browser=a%5C,b')).toEqual(['a,b'])
    expect(found(texts, 'browser', 'browser=a,b')).toEqual(['a', 'b'])
    expect(found(texts, 'browser', 'browser=x%5Cy,a%5C')).toEqual(['x\\y', 'a\\'])
  })

  it('takes only a known operator for one', () => {
    const texts = browsers('t.co', 'co', 'gt.5', 'c.example.com', 'www.EXAMPLE.com')
    expect(found(texts, 'browser', 'browser=t.co')).toEqual(['t.co'])
    expect(found(texts, 'browser', 'browser=gt.5')).toEqual(['gt.5'])
    expect(found(texts, 'browser', 'browser=c.example.com')).toEqual(['c.example.com', 'www.EXAMPLE.com'])
    expect(found(texts, 'browser', 'browser=eq.c.example.com')).toEqual(['c.example.com'])
  })

  it('takes a comma in c, dnc, re and nre for itself', () => {
    expect(found(browsers('a,b', 'a', 'b'), 'browser', 'browser=c.a,b')).toEqual(['a,b'])
  })

  it('takes NUL for an ordinary character', () => {
    expect(found(browsers('a\0b', 'a'), 'browser', 'browser=a%00b')).toEqual(['a\0b'])
  })
})

describe('spellings', () => {
  const rows = browsers('chrome', 'firefox', 'edge')

  it.each([
    ['browser=c.o&browser1=c.f'],
    ['browser=c.o&browser=c.f'],
    ['filters[browser]=c.o&filters[browser]=c.f'],
    ['filters[browser]=c.o&filters[browser1]=c.f'],
    ['browser=c.o&filters[browser]=c.f'],
    ['filters={"browser":["c.o","c.f"]}'],
    ['filters={"browser":"c.o","browser1":"c.f"}'],
    ['filters={"browser":"c.o"}&browser=c.f'],
  ])('makes each repetition a condition of its own: %s', (query) => {
    expect(found(rows, 'browser', query)).toEqual(['firefox'])
  })

  it('joins repetitions by match', () => {
    expect(found(rows, 'browser', 'browser=chrome&browser1=edge&match=all')).toEqual([])
    expect(found(rows, 'browser', 'browser=chrome&browser1=edge&match=any')).toEqual(['chrome', 'edge'])
  })

  it.each(Object.entries(FIELD_COLUMNS))('%s asks for %s', (field, column) => {
    const rows = [event({ [column]: 'x', event_id: id(1) }), event({ event_id: id(2) })]
    expect(found(rows, 'id', `${field}=x`)).toEqual([id(1)])
  })
})

describe('referrer', () => {
  const rows = [
    event({ hostname: 'www.a.com', referrer_domain: 'www.a.com', page_title: 'own' }),
    event({ hostname: 'www.a.com', referrer_domain: 'a.com', page_title: 'own without www.' }),
    event({ hostname: 'a.com', referrer_domain: 'b.com', event_id: id(4), page_title: 'other' }),
    event({ hostname: 'a.com', referrer_domain: 'www.a.com', event_id: id(3), page_title: 'more than own' }),
    event({ hostname: '', referrer_domain: '', event_id: id(2), page_title: 'of nobody' }),
    event({ hostname: 'a.com', referrer_domain: '', browser: 'x', page_title: 'empty' }),
  ]

  it.each([
    ['eq.a.com', []],
    ['eq.www.a.com', ['more than own']],
    ['c.a.c', ['more than own']],
    ['re.^a', []],
    ['re.^$', ['of nobody', 'empty']],
    ['', ['of nobody', 'empty']],
  ])('is not the own host, and may be empty, for %s', (value, expected) => {
    expect(found(rows, 'pageTitle', `referrer=${value}`)).toEqual(expected)
  })

  it.each([['neq.c.com'], ['dnc.x'], ['nre.x']])('is not the own host, and may be empty, for %s', (value) => {
    expect(found(rows, 'pageTitle', `referrer=${value}`)).toEqual(['other', 'more than own', 'of nobody', 'empty'])
  })

  it('has that condition for itself under match=any', () => {
    expect(found(rows, 'pageTitle', 'referrer=b.com&browser=x&match=any')).toEqual(['other', 'empty'])
  })
})

describe('language', () => {
  const tags = ['en', 'en-US', 'EN_gb', 'eng', 'de', '']
  const rows = tags.map((language, index) =>
    event({ language, page_title: language, event_id: id(tags.length - index) }),
  )

  it.each([
    ['en', ['en', 'en-US', 'EN_gb']],
    ['eq.EN', ['en', 'en-US', 'EN_gb']],
    ['en-US', ['en-US']],
    ['en-us', []],
    ['EN_gb,de', ['EN_gb', 'de']],
    ['neq.en', ['eng', 'de', '']],
    ['neq.en-US,de', ['en', 'EN_gb', 'eng', '']],
    ['', ['']],
    ['c.n-u', ['en-US']],
    ['re.^en$', ['en']],
    ['nre.^en', ['de', '']],
  ])('%s', (value, expected) => {
    expect(found(rows, 'pageTitle', `language=${value}`)).toEqual(expected)
  })
})

describe('eventType and excludeBounce', () => {
  it('are always ANDed', () => {
    const pageViews = [1, 2].map((n) => event({ event_type: 1, event_id: id(n), tag: 'a' }))
    const custom = event({ tag: 'a', event_id: id(3) })
    const bounced = event({ tag: 'a', event_id: id(4), visit_id: id(201) })
    const query = 'tag=a&tag1=b&match=any&eventType=2&excludeBounce=1'
    expect(found([...pageViews, custom, bounced], 'id', query)).toEqual([id(3)])
  })

  it('counts views of every kind: pages, links and pixels', () => {
    const rows = [3, 4, 5, 2].map((type) =>
      event({ event_type: type, event_id: id(type), visit_id: id(200 + (type % 2)) }),
    )
    expect(found(rows, 'id', 'excludeBounce=1')).toEqual([])
    const together = rows.map((row) => ({ ...row, visit_id: id(200) }))
    expect(found(together, 'id', 'excludeBounce=1')).toEqual([id(4), id(3), id(2)])
  })

  it('counts page views of the range, whether or not they pass the filters', () => {
    const pageViews = [1, 2].map((n) => event({ event_type: 1, event_id: id(n) }))
    expect(found([...pageViews, event({ tag: 'a', event_id: id(3) })], 'id', 'tag=a&excludeBounce=yes')).toEqual([
      id(3),
    ])
  })

  it.each([['false'], ['0']])('excludes nothing for %s', (value) => {
    expect(found([event()], 'id', `excludeBounce=${value}`)).toEqual([id(1)])
  })
})
