import { RegisterFilter } from '../../../entities/document/register-filter.tsx'
import type { AddressFilter } from '../../../lib/page/use-address-filter.ts'
import { kindWords, runStateWords, workWords } from '../../../entities/run/run-words.ts'
import { DayRange } from '../../../ui/filters/day-range.tsx'
import { ClearFilters, filterProps } from '../../../ui/filters/filter-selects.tsx'
import { LateSelect } from '../../../ui/filters/late-select.tsx'
import { SearchBox } from '../../../ui/table/search-box.tsx'
import type { Term } from '../../../ui/terms/term.ts'
import { EndpointFilter, TestFilter, WorkflowFilter } from './filter-parts.tsx'
import {
  isFiltered,
  runKinds,
  runStates,
  runWorks,
  type filterNames,
  type RunFilter,
} from './run-filter.ts'

const kinds = runKinds.map((value) => ({ value, label: kindWords[value] }))
const states = runStates.map((value) => ({ value, label: runStateWords[value] }))
const works = runWorks.map((value) => ({ value, label: workWords[value] }))

/** What the search understands. */
export const runTerms: readonly Term[] = [
  { name: 'state', label: 'State', choices: states },
  { name: 'kind', label: 'Kind', choices: kinds },
  { name: 'work', label: 'Work', choices: works },
  { name: 'user', label: 'Who' },
]

/** Filters by kind, state, workflow, test, day, reference and person. */
export function RunFilters(props: AddressFilter<RunFilter, (typeof filterNames)[number]>) {
  const { filter, setFilter, clear } = props
  return (
    <>
      <SearchBox label="Who" value={filter.user} onChange={(user) => setFilter({ user })} isSmall />
      <LateSelect
        {...filterProps('Kind', 'Any kind', 150)}
        data={kinds}
        value={filter.kind ?? null}
        onChange={(kind) => setFilter({ kind })}
      />
      <LateSelect
        {...filterProps('State', 'Any state', 150)}
        data={states}
        value={filter.state ?? null}
        onChange={(state) => setFilter({ state })}
      />
      <WorkflowFilter
        value={filter.workflow}
        onChange={(workflow) => setFilter({ workflow })}
        width={150}
      />
      <LateSelect
        {...filterProps('Work', 'Open or not', 150)}
        data={works}
        value={filter.work ?? null}
        onChange={(work) => setFilter({ work })}
      />
      <TestFilter value={filter.test} onChange={(test) => setFilter({ test })} width={150} />
      <RegisterFilter value={filter.register} onChange={(register) => setFilter({ register })} />
      <DayRange from={filter.from} to={filter.to} onChange={setFilter} />
      <EndpointFilter value={filter.endpoint} onChange={(endpoint) => setFilter({ endpoint })} />
      {isFiltered(filter) && <ClearFilters onClear={clear} />}
    </>
  )
}
