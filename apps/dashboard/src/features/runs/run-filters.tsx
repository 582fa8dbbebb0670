import { Button } from '@mantine/core'
import { RegisterFilter } from '../../entities/document/register-filter.tsx'
import { WorkflowSelect } from '../../entities/workflow/workflow-select.tsx'
import { useCan } from '../../lib/session.tsx'
import type { AddressFilter } from '../../lib/use-address-filter.ts'
import { kindWords, runStateWords, workWords } from '../../entities/run/run-words.ts'
import { DayRange } from '../../ui/day-range.tsx'
import { LateSelect } from '../../ui/late-select.tsx'
import { LinkedFilter } from '../../ui/linked-filter.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import {
  isFiltered,
  runKinds,
  runStates,
  runWorks,
  type filterNames,
  type RunFilter,
} from './run-filter.ts'

const width = { base: 'calc(50% - var(--mantine-spacing-sm) / 2)', xs: 150 }
const kinds = runKinds.map((value) => ({ value, label: kindWords[value] }))
const states = runStates.map((value) => ({ value, label: runStateWords[value] }))
const works = runWorks.map((value) => ({ value, label: workWords[value] }))
const tests = [
  { value: '1', label: 'Test only' },
  { value: '0', label: 'Without test' },
]

/** Filters by kind, state, workflow, test, day, reference and person. */
export function RunFilters(props: AddressFilter<RunFilter, (typeof filterNames)[number]>) {
  const { filter, setFilter, clear } = props
  const can = useCan()
  const choice = (label: string, all: string, data: { value: string; label: string }[]) => ({
    'aria-label': label,
    placeholder: all,
    data,
    clearable: true,
    clearButtonProps: { 'aria-label': all },
    w: width,
  })
  return (
    <>
      <SearchBox label="Who" value={filter.user} onChange={(user) => setFilter({ user })} isSmall />
      <LateSelect
        {...choice('Kind', 'Any kind', kinds)}
        value={filter.kind ?? null}
        onChange={(kind) => setFilter({ kind })}
      />
      <LateSelect
        {...choice('State', 'Any state', states)}
        value={filter.state ?? null}
        onChange={(state) => setFilter({ state })}
      />
      {can('workflow.view') && (
        <WorkflowSelect
          aria-label="Workflow"
          placeholder="Any workflow"
          clearable
          clearButtonProps={{ 'aria-label': 'Any workflow' }}
          w={width}
          value={filter.workflow}
          onChange={(workflow) => setFilter({ workflow })}
        />
      )}
      <LateSelect
        {...choice('Work', 'Open or not', works)}
        value={filter.work ?? null}
        onChange={(work) => setFilter({ work })}
      />
      <LateSelect
        {...choice('Test', 'Test or not', tests)}
        value={filter.test ?? null}
        onChange={(test) => setFilter({ test })}
      />
      <RegisterFilter value={filter.register} onChange={(register) => setFilter({ register })} />
      <DayRange from={filter.from} to={filter.to} onChange={setFilter} />
      {filter.endpoint !== '' && (
        <LinkedFilter removeLabel="Any endpoint" onRemove={() => setFilter({ endpoint: '' })}>
          Endpoint {filter.endpoint}
        </LinkedFilter>
      )}
      {filter.workflow !== '' && !can('workflow.view') && (
        <LinkedFilter removeLabel="Any workflow" onRemove={() => setFilter({ workflow: '' })}>
          Workflow {filter.workflow}
        </LinkedFilter>
      )}
      {isFiltered(filter) && (
        <Button variant="subtle" size="compact-sm" onClick={clear}>
          Clear filters
        </Button>
      )}
    </>
  )
}
