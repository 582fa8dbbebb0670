import { useState } from 'react'
import { ApiDraft } from '../../entities/api/api-draft.ts'
import { ApiCreatePage } from '../../features/apis/form/api-create-page.tsx'
import { useCreateEndpoint } from '../../features/endpoints/endpoint-queries.ts'
import { TryApiPanel } from '../../features/try-it/try-api-panel.tsx'
import { useCan } from '../../lib/session/session.tsx'

/** An API that is new has no endpoint, and nobody has access: it is tried by users who could give both. */
export function ApiCreateScreen() {
  const can = useCan()
  const create = useCreateEndpoint()
  const [draft] = useState(() => new ApiDraft())
  const canTry = can('request.send') && can('endpoint.create') && can('api-permission.edit')
  return (
    <ApiCreatePage
      createEndpoint={
        can('endpoint.create')
          ? async (...planned) => {
              const { toPlannedInput } = await import('../../features/endpoints/planned-input.ts')
              return create(toPlannedInput(...planned))
            }
          : undefined
      }
      draft={draft}
    >
      {canTry && <TryApiPanel draft={draft} />}
    </ApiCreatePage>
  )
}
