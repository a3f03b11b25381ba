import { useState } from 'preact/hooks'
import { SearchField } from '../../parts/search-field.tsx'
import { useSettled } from '../../parts/use-settled.ts'
import { useBoard } from '../context.ts'
import { ListFile } from '../list-file.tsx'
import { LongList } from '../long-list.tsx'
import { Picker } from '../picker.tsx'

const lengths = ['2', '3', '4', '5', '6', '7']

/** The first pages and events of visits, the most frequent first. */
export function Journeys() {
  const { data, input, address, go } = useBoard()
  const [search, setSearch] = useState('')
  const text = useSettled(search)
  const steps = lengths.find((one) => one === address.tabs.steps) ?? '3'
  const list = { ...input, steps: Number(steps), ...(text && { search: text }) }
  return (
    <>
      <div class="pickers">
        <Picker
          label="Steps, at most"
          all={lengths}
          chosen={steps}
          choose={(chosen) => go({ tabs: { ...address.tabs, steps: chosen } })}
        />
        <SearchField label="Search journeys" hint="A page or an event" {...{ search, setSearch }} />
      </div>
      <LongList
        ask={(limit) => data.journeys({ ...list, limit })}
        rowsOf={(journeys) =>
          journeys.map(({ items, count }) => ({
            ...{ key: JSON.stringify(items), label: items.join(' → '), count },
            ...{ share: undefined, isChosen: false, choose: undefined },
          }))
        }
        columns={['Journey', 'Visits']}
        step={10}
      />
      <ListFile name="Journeys" make={() => data.listFile('getWebsiteJourneys', list)} />
    </>
  )
}
