import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { FormLoader } from '../../ui/form-loader.tsx'
import { Page } from '../../ui/page.tsx'
import { EndpointForm } from './endpoint-form.tsx'
import { newEndpointValues, toEndpointInput } from './endpoint-form-values.ts'
import { endpointQueries, useCreateEndpoint } from './endpoint-queries.ts'
import { endpointsMessages } from './endpoints-messages.ts'
import { returnPathOf } from './return-to-api.ts'

export function EndpointCreatePage() {
  const query = useQuery(endpointQueries.create())
  const create = useCreateEndpoint()
  const [address] = useSearchParams()
  const wanted = address.get('api')
  return (
    <Page title="Create">
      <FormLoader query={query} failureText={endpointsMessages.notLoaded}>
        {({ apis }) => (
          <EndpointForm
            initialValues={{
              ...newEndpointValues,
              api_id: apis.some(({ value }) => value === wanted) ? (wanted ?? '') : '',
            }}
            apis={apis}
            listPath={returnPathOf(address, Number(wanted))}
            save={(values) => create(toEndpointInput(values))}
            texts={{ ...endpointsMessages, saved: endpointsMessages.created }}
          />
        )}
      </FormLoader>
    </Page>
  )
}
