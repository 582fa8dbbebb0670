import { ApiCreatePage } from '../../features/apis/api-create-page.tsx'
import { toPlannedInput } from '../../features/endpoints/planned-input.ts'
import { useCreateEndpoint } from '../../features/endpoints/endpoint-queries.ts'
import { useCan } from '../../lib/session.tsx'

export function ApiCreateScreen() {
  const can = useCan()
  const create = useCreateEndpoint()
  return (
    <ApiCreatePage
      createEndpoint={
        can('endpoint.create')
          ? (apiId, endpoint, askedId) => create(toPlannedInput(apiId, endpoint, askedId))
          : undefined
      }
    />
  )
}
