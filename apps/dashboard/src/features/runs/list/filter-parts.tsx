import { WorkflowSelect } from '../../../entities/workflow/workflow-select.tsx'
import { useCan } from '../../../lib/session/session.tsx'
import { filterProps } from '../../../ui/filters/filter-selects.tsx'
import { LateSelect } from '../../../ui/filters/late-select.tsx'
import { LinkedFilter } from '../../../ui/filters/linked-filter.tsx'

interface FilterProps {
  /** Blank: any. */
  value: string
  onChange: (value: string | null) => void
}

interface TestFilterProps {
  value: '0' | '1' | undefined
  onChange: (value: string | null) => void
  /** In pixels. */
  width: number
}

const tests = [
  { value: '1', label: 'Test only' },
  { value: '0', label: 'Without test' },
]

export function TestFilter({ value, onChange, width }: TestFilterProps) {
  return (
    <LateSelect
      {...filterProps('Test', 'Test or not', width)}
      data={tests}
      value={value ?? null}
      onChange={onChange}
    />
  )
}

/** Users who may not view workflows can only remove the filter of a link. */
export function WorkflowFilter({ value, onChange, width }: FilterProps & { width: number }) {
  const can = useCan()
  const props = { ...filterProps('Workflow', 'Any workflow', width), value, onChange }
  if (can('workflow.view')) return <WorkflowSelect {...props} />
  if (value === '') return null
  return (
    <LinkedFilter removeLabel="Any workflow" onRemove={() => onChange(null)}>
      Workflow {value}
    </LinkedFilter>
  )
}

/** Set by links; it can only be removed here. */
export function EndpointFilter({ value, onChange }: FilterProps) {
  if (value === '') return null
  return (
    <LinkedFilter removeLabel="Any endpoint" onRemove={() => onChange(null)}>
      Endpoint {value}
    </LinkedFilter>
  )
}
