import type { PartToEdit } from '../../lib/forms/form-part.ts'
import type { LimitValues } from './limit-values.ts'
import { ScopeSelect } from './scope-select.tsx'

interface AgentScopeProps {
  part: Pick<PartToEdit<LimitValues>, 'values' | 'set' | 'errorOf'>
  /** The user of the token. */
  owner: number
}

/** What an agent with the token finds, and nothing else. */
export function AgentScope({ part: { values, set, errorOf }, owner }: AgentScopeProps) {
  return (
    <>
      <ScopeSelect
        what="endpoints"
        isOfTools
        label="Tools"
        description="The agent finds these endpoints alone. Listed is what its user may call of APIs that are offered to agents."
        nothingFound="No tool of that name that the user may call"
        owner={owner}
        named={[]}
        value={values.endpoints}
        onChange={(value) => set('endpoints', value)}
        error={errorOf('endpoints')}
        isDisabled={false}
      />
      <ScopeSelect
        what="workflows"
        label="Workflows"
        description="Each is a tool of its own."
        nothingFound="No workflow of that name that the user may run"
        owner={owner}
        named={[]}
        value={values.workflows}
        onChange={(value) => set('workflows', value)}
        error={errorOf('workflows')}
        isDisabled={false}
      />
    </>
  )
}
