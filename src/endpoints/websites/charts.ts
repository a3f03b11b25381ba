import * as z from 'zod'
import { refusalOf } from '../../errors.ts'
import { made, type ValueOf } from '../../made.ts'
import type { WebsiteKind } from '../../metadata/website.ts'
import { isRangeGiven, type Period, rangeParameters } from '../../request/period.ts'
import { freeText, group, query, required } from '../../request/query-string.ts'
import { dateAfter, dayOf, startOfDay, startOfNextDay } from '../../request/time-zone.ts'
import { mapAtOnce } from '../concurrency.ts'
import { action } from '../endpoint.ts'
import { id } from '../ids.ts'
import { Chart, chartPeriod } from './chart.ts'

const mostIds = 20

const ids = group(
  { ids: required(freeText(`1 to ${mostIds} ids, separated by commas. Repeated ids count once.`)) },
  ({ ids = '' }, addIssue) => {
    const read = ids.split(',', mostIds + 1).map((text) => made(id).safeParse(text).data)
    const isList = read.length <= mostIds && read.every((one) => one !== undefined)
    if (!isList) addIssue('ids', `Must be 1 to ${mostIds} ids of the form 8-4-4-4-12, with a comma between them.`)
    return { ids: [...new Set(read.filter((one) => one !== undefined))] }
  },
)

/** An optional range. */
const chartsRange = group(rangeParameters, (values, addIssue): { period: Period | undefined; zone: string } => {
  const { timezone: zone = 'UTC' } = values
  return { period: isRangeGiven(values) ? chartPeriod(values, addIssue) : undefined, zone }
})

/** The last seven days, and today up to its end. */
function lastDays(now: number, zone: string): Period {
  const today = dayOf(now, zone)
  return { startAt: startOfDay(dateAfter(today, -7), zone), endAt: startOfNextDay(today, zone) - 1 }
}

/** Charts of several websites, links or pixels. Ids of another kind are left out, like unknown ids. */
const chartsAction = (name: string, kind: WebsiteKind) =>
  action({
    name,
    path: `/api/${kind}s/charts`,
    summary: `Visitors by half days, for several ${kind}s at once; by default over the last seven days and today. Leaves out ${kind}s that the caller may not see.`,
    access: { to: 'holder' },
    refuses: ['too-much-data'],
    query: query(ids, chartsRange),
    answer: () => z.object({ data: z.record(z.string(), Chart()) }),
    async run({ ids, period, zone }, { ask, metadata, now }) {
      const { startAt, endAt } = period ?? lastDays(now, zone)
      const range = new URLSearchParams({ startAt: String(startAt), endAt: String(endAt), timezone: zone })
      const ofKind = (await metadata.websites.owned(ids)).filter((one) => one.kind === kind)
      const named = ids.filter((id) => ofKind.some((one) => one.id === id))
      const charts = await mapAtOnce(named, async (id) => {
        const answer = await ask(`/api/websites/${id}/chart?${range}`)
        return [id, await chartOf(answer)] as const
      })
      return { body: { data: Object.fromEntries(charts.flatMap(([id, chart]) => (chart ? [[id, chart]] : []))) } }
    },
  })

export const getWebsitesCharts = chartsAction('getWebsitesCharts', 'website')

export const getLinksCharts = chartsAction('getLinksCharts', 'link')

export const getPixelsCharts = chartsAction('getPixelsCharts', 'pixel')

/** Reads the chart from an answer; undefined if the caller may not see the website. */
async function chartOf(answer: Response): Promise<ValueOf<typeof Chart> | undefined> {
  if (answer.status === 403) return void (await answer.body?.cancel())
  if (!answer.ok) throw await refusalOf(answer)
  return made(Chart).parse(await answer.json())
}
