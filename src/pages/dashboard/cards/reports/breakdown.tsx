import type { Answer } from '@weir/client'
import { fieldName, type PlainField, plainFields } from '../../address/fields.ts'
import { opens } from '../../data/opening.ts'
import { markOf, valueName } from '../../format/names.ts'
import { useBoard } from '../context.ts'
import { moreColumns, moreOf } from '../metric-rows.ts'
import { Picker } from '../picker.tsx'
import type { Row } from '../rows.tsx'
import { ReportList } from './report-list.tsx'

type Combination = Answer<'getWebsiteBreakdown'>[number]

/** As many fields as there are pickers. */
const most = 3

const none = ''

/** The fields that the address names. */
const fieldsIn = (text: string | undefined): PlainField[] => {
  const named = (text ?? 'path,country').split(',')
  const known = plainFields.filter((field) => named.includes(field))
  return known.sort((one, other) => named.indexOf(one) - named.indexOf(other)).slice(0, most)
}

/** Figures of each combination of values. */
export function Breakdown() {
  const { data, opening, input, address, go } = useBoard()
  const all = plainFields.filter((field) => field !== 'distinctId' || opens(opening))
  const asked = fieldsIn(address.tabs.by).filter((field) => all.includes(field))
  const fields = asked.length > 0 ? asked : fieldsIn(undefined)
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
            key={chosen}
            label={place === 0 ? 'By' : 'and by'}
            all={[
              ...(fields.length > 1 || place > 0 ? [none] : []),
              ...all.filter((field) => field === chosen || !fields.includes(field)),
            ]}
            textOf={(field) => (field === none ? '–' : fieldName(field as PlainField))}
            chosen={chosen}
            choose={(field) => choose(place, field)}
          />
        ))}
      </div>
      <ReportList
        key={JSON.stringify(list)}
        ask={(limit) => data.breakdown({ ...list, limit })}
        rowsOf={(combinations) => combinations.map((one) => rowOf(one, fields))}
        columns={[fields.map(fieldName).join(' · '), 'Visitors', ...moreColumns]}
        name="Breakdown"
        make={() => data.listFile('getWebsiteBreakdown', list)}
      />
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
