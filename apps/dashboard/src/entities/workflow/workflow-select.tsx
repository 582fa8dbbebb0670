import { call } from '../../lib/calls/call.ts'
import {
  NamedSelect,
  NameOf,
  type NamedSelectProps,
  type NameSource,
} from '../../ui/filters/named-select.tsx'

const shownMax = 50

const workflows: NameSource = {
  noun: 'workflow',
  matching: (search) => ({
    queryKey: ['workflows', 'names', search],
    queryFn: async ({ signal }) => {
      const query = { page: 1, limit: shownMax, sort: 'name', search } as const
      return (await call('GET /api/workflows', { query, signal }))[0].data
    },
  }),
  nameOf: (id) => ({
    queryKey: ['workflows', 'name', id],
    queryFn: async ({ signal }) => {
      const params = { id: Number(id) }
      return (await call('GET /api/workflows/:id', { params, signal })).name
    },
  }),
}

/** What a workflow is called. For users who may view workflows. */
export const WorkflowName = ({ id }: { id: string }) => <NameOf source={workflows} id={id} />

/** Chooses a workflow by its name. For users who may view workflows. */
export function WorkflowSelect(props: NamedSelectProps) {
  return <NamedSelect {...props} source={workflows} />
}
