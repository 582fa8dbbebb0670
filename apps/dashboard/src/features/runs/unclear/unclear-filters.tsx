import { Button } from '@mantine/core'
import { runStateWords } from '../../../entities/run/run-words.ts'
import { WorkflowSelect } from '../../../entities/workflow/workflow-select.tsx'
import { useCan } from '../../../lib/session.tsx'
import type { AddressFilter } from '../../../lib/use-address-filter.ts'
import { LateSelect } from '../../../ui/late-select.tsx'
import { LinkedFilter } from '../../../ui/linked-filter.tsx'
import {
  isFiltered,
  unclearStates,
  type filterNames,
  type UnclearFilter,
} from './unclear-filter.ts'

const width = { base: 'calc(50% - var(--mantine-spacing-sm) / 2)', xs: 170 }
const states = unclearStates.map((value) => ({ value, label: runStateWords[value] }))
const healings = [
  { value: '1', label: 'Healing goes on' },
  { value: '0', label: 'A person decides' },
]
const tests = [
  { value: '1', label: 'Test only' },
  { value: '0', label: 'Without test' },
]

/** Filters by state, healing, workflow and test. */
export function UnclearFilters(props: AddressFilter<UnclearFilter, (typeof filterNames)[number]>) {
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
      <LateSelect
        {...choice('State', 'Any state', states)}
        value={filter.state ?? null}
        onChange={(state) => setFilter({ state })}
      />
      <LateSelect
        {...choice('Healing', 'Healing or not', healings)}
        value={filter.healing ?? null}
        onChange={(healing) => setFilter({ healing })}
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
        {...choice('Test', 'Test or not', tests)}
        value={filter.test ?? null}
        onChange={(test) => setFilter({ test })}
      />
      {filter.endpoint !== '' && (
        <LinkedFilter removeLabel="Any endpoint" onRemove={() => setFilter({ endpoint: '' })}>
          Endpoint {filter.endpoint}
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
