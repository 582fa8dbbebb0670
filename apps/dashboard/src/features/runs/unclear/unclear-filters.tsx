import { runStateWords } from '../../../entities/run/run-words.ts'
import type { AddressFilter } from '../../../lib/page/use-address-filter.ts'
import { ClearFilters, filterProps } from '../../../ui/filters/filter-selects.tsx'
import { LateSelect } from '../../../ui/filters/late-select.tsx'
import { EndpointFilter, TestFilter, WorkflowFilter } from '../list/filter-parts.tsx'
import {
  isFiltered,
  unclearStates,
  type filterNames,
  type UnclearFilter,
} from './unclear-filter.ts'

const states = unclearStates.map((value) => ({ value, label: runStateWords[value] }))
const healings = [
  { value: '1', label: 'Healing goes on' },
  { value: '0', label: 'A person decides' },
]

/** Filters by state, healing, workflow and test. */
export function UnclearFilters(props: AddressFilter<UnclearFilter, (typeof filterNames)[number]>) {
  const { filter, setFilter, clear } = props
  return (
    <>
      <LateSelect
        {...filterProps('State', 'Any state', 170)}
        data={states}
        value={filter.state ?? null}
        onChange={(state) => setFilter({ state })}
      />
      <LateSelect
        {...filterProps('Healing', 'Healing or not', 170)}
        data={healings}
        value={filter.healing ?? null}
        onChange={(healing) => setFilter({ healing })}
      />
      <WorkflowFilter
        value={filter.workflow}
        onChange={(workflow) => setFilter({ workflow })}
        width={170}
      />
      <TestFilter value={filter.test} onChange={(test) => setFilter({ test })} width={170} />
      <EndpointFilter value={filter.endpoint} onChange={(endpoint) => setFilter({ endpoint })} />
      {isFiltered(filter) && <ClearFilters onClear={clear} />}
    </>
  )
}
