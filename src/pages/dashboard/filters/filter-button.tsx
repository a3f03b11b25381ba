import { withFilter } from '../address/filters.ts'
import { useBoard } from '../cards/context.ts'
import { useMaking } from '../cards/making.ts'
import { Disclosure } from '../parts/disclosure.tsx'
import { Icon } from '../parts/icons.tsx'
import { FilterForm } from './filter-form.tsx'

/** A button that opens the form for a new filter. */
export function FilterButton() {
  const { address, go } = useBoard()
  const making = useMaking()
  const summary = (
    <>
      <Icon name="filter" />
      <span>Filter</span>
    </>
  )
  return (
    <Disclosure name="filter" label="Add" summary={summary}>
      {(close) => (
        <>
          <FilterForm
            add={(filter) => {
              go({ filters: withFilter(address.filters, filter) })
              close()
            }}
          />
          {making && <making.Segments close={close} />}
        </>
      )}
    </Disclosure>
  )
}
