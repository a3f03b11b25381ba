import { opens } from '../../data/opening.ts'
import { useAnswer } from '../../data/use-answer.ts'
import { countryName, markOf } from '../../format/names.ts'
import { formatMoney, formatShare, formatWhole } from '../../format/numbers.ts'
import { Fault } from '../../parts/notice.tsx'
import { Card } from '../card.tsx'
import { useBoard } from '../context.ts'
import { ListFile } from '../list-file.tsx'
import { Bar, Mark, RowBones } from '../rows.tsx'

/** The revenue from visitors. */
export function Revenue() {
  const { opening } = useBoard()
  return opens(opening, 'revenue') ? <RevenueCard /> : null
}

/** The card for the chosen currency. The default is the currency with the most sales in the period. */
function RevenueCard() {
  const { data, input, address, go } = useBoard()
  const { value, error, retry } = useAnswer(data.currencies(input))
  const sold = value?.map((one) => one.currency) ?? []
  const chosen = [...sold, ...Intl.supportedValuesOf('currency')].find((one) => one === address.tabs.revenue)
  const currency = chosen ?? sold[0]
  const all = chosen === undefined || sold.includes(chosen) ? sold : [chosen, ...sold]
  const picker = all.length > 0 && (
    <select
      aria-label="Currency"
      value={currency}
      onChange={({ currentTarget }) => go({ tabs: { ...address.tabs, revenue: currentTarget.value } })}
    >
      {all.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  )
  return (
    <Card name="revenue" title="Revenue" aside={picker}>
      {error ? <Fault error={error} retry={retry} /> : null}
      {!error && !value && <RowBones count={9} />}
      {value && currency === undefined && <p class="empty">No sales in this period.</p>}
      {value && currency !== undefined && <Sales currency={currency} />}
    </Card>
  )
}

function Sales({ currency }: { readonly currency: string }) {
  const { data, input } = useBoard()
  const totals = useAnswer(data.sales({ ...input, currency }))
  const list = { ...input, currency, type: 'country' } as const
  const places = useAnswer(data.salesBy({ ...list, limit: 6 }))
  const error = totals.error ?? places.error
  if (error) {
    return <Fault error={error} retry={() => (totals.error ? totals.retry() : places.retry())} />
  }
  if (!totals.value || !places.value) return <RowBones count={9} />
  const { sum, count, average, unique_count, total_sessions } = totals.value
  if (count === 0) return <p class="empty">No sales in {currency} in this period.</p>
  const greatest = Math.max(1, ...places.value.map(({ value }) => value))
  return (
    <div class={totals.isLoading ? 'list waits' : 'list'}>
      <dl class="facts">
        <Fact name="Revenue" value={formatMoney(sum, currency)} />
        <Fact name="Sales" value={formatWhole(count)} />
        <Fact name="Average" value={formatMoney(average, currency)} />
        <Fact name="Visitors who paid" value={total_sessions > 0 ? formatShare(unique_count / total_sessions) : '–'} />
      </dl>
      <ol class="rows">
        {places.value.map(({ name, value }) => (
          <li key={name} class="row" data-key={name}>
            <span class="row-label">
              <Bar part={Math.max(0, value) / greatest} />
              {markOf(name) && <Mark code={name} />}
              <bdi>{name === '' ? 'Unknown' : countryName(name)}</bdi>
            </span>
            <span class="row-count" data-count={value}>
              {formatMoney(value, currency)}
            </span>
          </li>
        ))}
      </ol>
      <ListFile name={`Revenue ${currency}`} make={() => data.listFile('getWebsiteRevenueMetrics', list)} />
    </div>
  )
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
