import type { ReactNode } from 'react'
import type { ApiDraft } from '../../../entities/api/api-draft.ts'
import { paths } from '../../../entities/paths.ts'
import { notifySuccess } from '../../../lib/page/notify.tsx'
import { useLeaveForm } from '../../../lib/forms/leave-form.ts'
import { Page } from '../../../ui/page/page.tsx'
import { ApiForm } from './api-form.tsx'
import { chosenEndpoints, newApiValues, toApiInput, type ApiFormValues } from './api-form-values.ts'
import { useCreateApi } from '../api-queries.ts'
import { apisMessages } from '../apis-messages.ts'
import { EndpointCreation } from './endpoint-creation.tsx'
import { useEndpointCreation, type CreateEndpoint } from './use-endpoint-creation.ts'

interface ApiCreatePageProps {
  /** Undefined: the user may not create endpoints. */
  createEndpoint: CreateEndpoint | undefined
  draft?: ApiDraft
  /** Below the form, while it is there. */
  children?: ReactNode
}

/** A profile's endpoints are created once the API is: if one fails, the API stays. */
export function ApiCreatePage({ createEndpoint, draft, children }: ApiCreatePageProps) {
  const create = useCreateApi()
  const leave = useLeaveForm()
  const { creation, start, retry } = useEndpointCreation(
    createEndpoint ?? (() => Promise.reject(new Error('The user may not create endpoints.'))),
    (apiId, count) => {
      notifySuccess(count === 1 ? 'One endpoint was created.' : `${count} endpoints were created.`)
      leave(paths.api(apiId))
    },
  )

  async function save(values: ApiFormValues) {
    const api = await create(toApiInput(values))
    const chosen = chosenEndpoints(values)
    if (createEndpoint && chosen.length > 0) {
      void start({ apiId: api.id, apiName: values.name }, chosen)
    }
    return api
  }

  return (
    <Page title="Create a New API">
      {creation ? (
        <EndpointCreation creation={creation} onRetry={() => void retry()} />
      ) : (
        <>
          <ApiForm
            initialValues={newApiValues}
            canCreateEndpoints={createEndpoint !== undefined}
            submitLabel="Create API"
            save={save}
            target={({ id }) => paths.api(id)}
            texts={{ ...apisMessages, saved: apisMessages.created }}
            draft={draft}
          />
          {children}
        </>
      )}
    </Page>
  )
}
