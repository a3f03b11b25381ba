import type { Answer } from '@weir/client'
import { fieldName, type PlainField, plainFields } from '../../address/fields.ts'
import { opens } from '../../data/opening.ts'
import { markOf, valueName } from '../../format/names.ts'
import { useBoard } from '../context.ts'
import { ListFile } from '../list-file.tsx'
import { LongList } from '../long-list.tsx'
import { moreColumns, moreOf } from '../metric-rows.ts'
import { Picker } from '../picker.tsx'
import type { Row } from '../rows.tsx'

type Combination = Answer<'getWebsiteBreakdown'>[number]

/** The number of pickers for fields. */
const most = 3

const none = ''

/** The figures for each combination of values. */
export function Breakdown() {
  const { data, opening, input, address, go } = useBoard()
  const all = plainFields.filter((field) => field !== 'distinctId' || opens(opening))
  const named = new Set((address.tabs.by ?? '').split(','))
  const known = [...named].flatMap((name) => all.find((one) => one === name) ?? []).slice(0, most)
  const fields: readonly PlainField[] = known.length > 0 ? known : ['path', 'country']
  const choose = (place: number, field: string) => {
    const next = [...fields]
    next.splice(place, 1, ...(field === none ? [] : [field as PlainField]))
    go({ tabs: { ...address.tabs, by: next.join(',') } })
  }
  const list = { ...input, fields: fields.join(',') }
  const places = [...fields, none].slice(0, most)
  return (
    <>
      <div class="pickers">
        {places.map((chosen, place) => (
          <Picker
            key={place}
            label={place === 0 ? 'By' : 'and by'}
            all={Object.fromEntries([
              ...(place > 0 ? [[none, '–']] : []),
              ...all.filter((one) => one === chosen || !fields.includes(one)).map((one) => [one, fieldName(one)]),
            ])}
            chosen={chosen}
            choose={(field) => choose(place, field)}
          />
        ))}
      </div>
      <LongList
        // Rows of other fields would stand under these.
        key={fields.join()}
        ask={(limit) => data.breakdown({ ...list, limit })}
        rowsOf={(combinations) => combinations.map((one) => rowOf(one, fields))}
        columns={[fields.map(fieldName).join(' · '), 'Visitors', ...moreColumns]}
        step={10}
      />
      <ListFile name="Breakdown" make={() => data.listFile('getWebsiteBreakdown', list)} />
    </>
  )
}

function rowOf(combination: Combination, fields: readonly PlainField[]): Row {
  const values = fields.map((field) => String(combination[field]))
  const { visits, views, bounces, totaltime, visitors } = combination
  const texts = values.map((value, index) => (value === '' ? '(empty)' : valueName(fields[index]!, value)))
  const mark = markOf(String(combination.country ?? ''))
  return {
    ...{ key: JSON.stringify(values), label: texts.join(' · '), ...(mark && { mark }) },
    ...{ count: visitors, more: moreOf({ visits, pageviews: views, bounces, totaltime }) },
    ...{ share: undefined, isChosen: false, choose: undefined },
  }
}
