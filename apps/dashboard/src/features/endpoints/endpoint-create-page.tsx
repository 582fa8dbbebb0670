import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { EndpointDraft } from '../../entities/endpoint/endpoint-draft.ts'
import { paths } from '../../entities/paths.ts'
import { useCan } from '../../lib/session/session.tsx'
import { FormLoader } from '../../ui/form/form-loader.tsx'
import { Page } from '../../ui/page/page.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { newEndpointValues, toEndpointInput } from './endpoint-form-values.ts'
import { endpointQueries, useCreateEndpoint } from './endpoint-queries.ts'
import { endpointsMessages } from './endpoints-messages.ts'
import { returnPathOf, withSameReturn } from './return-to-api.ts'

interface EndpointCreatePageProps {
  /** What other features have to say about the endpoint that is being made. */
  children?: (draft: EndpointDraft) => ReactNode
  /** What leads there from beside the form. */
  shortcuts?: ReactNode
}

export function EndpointCreatePage({ children, shortcuts }: EndpointCreatePageProps) {
  const [draft] = useState(() => new EndpointDraft())
  const query = useQuery(endpointQueries.create())
  const create = useCreateEndpoint()
  const [address] = useSearchParams()
  const wanted = address.get('api')
  const listPath = returnPathOf(address, Number(wanted))
  const canEdit = useCan()('endpoint.edit')
  return (
    <Page title="New endpoint">
      <FormLoader query={query} failureText={endpointsMessages.notLoaded}>
        {({ apis }) => (
          <EndpointForm
            initialValues={{
              ...newEndpointValues,
              api_id: apis.some(({ value }) => value === wanted) ? (wanted ?? '') : '',
            }}
            apis={apis}
            listPath={listPath}
            submitLabel="Create endpoint"
            toInput={toEndpointInput}
            save={create}
            target={({ id }) =>
              canEdit ? withSameReturn(paths.endpointEdit(id), address) : listPath
            }
            shortcuts={shortcuts}
            draft={draft}
            texts={{ ...endpointsMessages, saved: endpointsMessages.created }}
          />
        )}
      </FormLoader>
      {query.data && children?.(draft)}
    </Page>
  )
}
