import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { event, id } from '../oracle/fixtures.ts'
import { day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

describe('the ZIP export of a website', () => {
  const signs = ['=', '+', '-', '@', '\t', '\r', '\n', '\uff1d', '\uff0b', '\uff20', '\uff0d', '\u2212']
  const formulas = signs.map((sign) => `${sign}1`)
  const plain = ["'=1", ' =1', 'a=1', '\u20131', 'a;1', 'a\t1']
  const inner = ['a;=1', 'a\t=1', 'a;""\t@1', 'a\n+1', 'a;\t\t\t-1']
  const innerSafe = ["a;'=1", "a\t'=1", 'a;""\'\t\'@1', "a\n'+1", "a;'\t'\t'\t'-1"]
  let websiteId: string

  beforeAll(async () => {
    websiteId = await websiteWith(
      ...[...formulas, ...inner, ...plain].map((event_name, place) => event({ event_id: id(place), event_name })),
    )
  })

  /** The names in the events file, in any order. */
  async function names(query: object): Promise<string[]> {
    const { body } = await read(websiteId, 'export', { ...day, ...query })
    const text = Buffer.from(unzipSync(Buffer.from(body.zip, 'base64'))['events.csv']!).toString()
    expect(text.startsWith('x,y\r\n')).toBe(true)
    // Programs that split at `;` or tabs must not see an additional cell.
    expect(text.match(/^[^"\n]*[;\t]/gm)).toBeNull()
    const fields = [...text.slice(5).matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*)),1(?:\r\n|$)/g)]
    return fields.map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare!).sort()
  }

  it('contains no name that a spreadsheet program would run as a formula', async () => {
    const safe = [...formulas.map((name) => `'${name}`), ...innerSafe, ...plain].sort()
    expect(await names({})).toEqual(safe)
    expect(await names({ escape: 'formulas' })).toEqual(safe)
  })

  it('contains unchanged names on request', async () => {
    expect(await names({ escape: 'none' })).toEqual([...formulas, ...inner, ...plain].sort())
  })

  it('states the number of all rows, also of those that maxResults leaves out', async () => {
    for (const query of [{}, { maxResults: 2 }]) {
      const { headers } = await read(websiteId, 'export', { ...day, ...query })
      expect(headers.get('x-total-count')).toBe(String(formulas.length + inner.length + plain.length))
    }
  })

  it('is JSON that contains the ZIP, also with format=json', async () => {
    expect(await names({ format: 'json', escape: 'none' })).toEqual(await names({ escape: 'none' }))
  })
})
