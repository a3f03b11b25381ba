import { describe, expect } from 'vitest'
import { eventsOf, heatmaps, requestsOf } from '../support/recorded-page.ts'
import { itOn, run, siteOfFile } from '../support/site.ts'
import { soon } from '../support/soon.ts'
import { get } from '../support/weir.ts'

const opened = siteOfFile()
const it = itOn(opened)

const mapped = { heatmapEnabled: true, heatmapSampleRate: 1 }

describe.concurrent('a heatmap', () => {
  it('contains clicks and depths as numbers, and nothing else from the page', async ({ visit }) => {
    const { website, page, sent, url, errors } = await visit({
      recorded: mapped,
      body: `<div style="height:3000px">secret <button style="position:absolute;top:900px;left:40px">secret</button></div>`,
    })
    const requests = requestsOf(page)
    await soon(() => expect(heatmaps(sent())).toHaveLength(1))
    await page.click('button')
    await page.mouse.click(300, 200)
    await page.mouse.click(300, 200, { button: 'right' })
    await run(page, `document.querySelector('button').click()`)
    await page.keyboard.press('Enter')
    const all = () => eventsOf(heatmaps(sent())) as unknown as Record<string, number | string>[]
    const clicked = () => all().filter(({ type }) => type === 'click')
    await soon(() => expect(clicked().length).toBeGreaterThan(1))
    const [events, clicks] = [all(), clicked()]
    const sizes = { pageW: expect.any(Number), pageH: expect.any(Number), viewportW: 1280, viewportH: 720 }
    expect(clicks).toHaveLength(2)
    const [first, second] = clicks as [Record<string, number>, Record<string, number>]
    expect(first).toEqual({
      ...{ type: 'click', url, x: expect.any(Number), y: expect.any(Number), ...sizes },
      ...{ pageX: first.x, pageY: expect.any(Number), timestamp: expect.any(Number) },
    })
    expect(first.pageY! - first.y!).toBeGreaterThan(100)
    expect(Math.abs(first.pageY! - 910)).toBeLessThan(20)
    expect(second).toMatchObject({ x: 300, y: 200, pageX: 300 })
    const depths = events.filter(({ type }) => type === 'scroll') as Record<string, number>[]
    expect(depths[0]).toMatchObject({ url, ...sizes })
    expect(depths.at(-1)!.scrollPct).toBe(Math.round(((first.pageY! - first.y! + 720) / first.pageH!) * 100))
    expect(JSON.stringify(events)).not.toContain('secret')
    expect(requests).not.toContain('/replay.js')
    expect(heatmaps(sent()).map(({ answer }) => answer)).toEqual(heatmaps(sent()).map(() => ({ ok: true })))
    expect(errors()).toEqual([])
    await soon(async () => {
      const range = { startAt: String(Date.now() - 3_600_000), endAt: String(Date.now() + 60_000) }
      const urlPath = new URL(url).pathname
      const { body } = await get(`/api/websites/${website}/heatmaps?${new URLSearchParams({ ...range, urlPath })}`)
      expect(body.points?.reduce((sum: number, one: { count: number }) => sum + one.count, 0)).toBe(2)
    })
  })

  it('records a separate depth for each URL; a page that fits the window is seen completely', async ({ visit }) => {
    const { page, sent, url } = await visit({
      recorded: mapped,
      body: '<div style="height:7200px">x</div>',
    })
    const depths = () =>
      (eventsOf(heatmaps(sent())) as unknown as { url: string; scrollPct: number }[]).map((one) => [
        one.url.replace(url, ''),
        one.scrollPct,
      ])
    await run(page, 'scrollTo(0, 5000)')
    await soon(() => expect(depths().at(-1)?.[1]).toBeGreaterThan(70))
    await run(page, `scrollTo(0, 0); history.pushState(null, '', '?b')`)
    await soon(() => expect(depths().at(-1)).toEqual(['?b', expect.toSatisfy((one) => one < 15)]))
    await run(page, `document.querySelector('div').remove(); history.pushState(null, '', '?c')`)
    await soon(() => expect(depths().at(-1)).toEqual(['?c', 100]))
    // The previous page's depth is not carried over to the next page.
    expect(depths().filter(([path, depth]) => path === '?b' && Number(depth) > 15)).toEqual([])
  })
})
