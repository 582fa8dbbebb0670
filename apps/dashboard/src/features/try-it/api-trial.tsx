import { Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EndpointRecord } from '@gatehouse/contract'
import type { DraftedApi } from '../../entities/api/api-draft.ts'
import { methodChoices } from '../../entities/endpoint/endpoint-words.ts'
import { call } from '../../lib/calls/call.ts'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import { EndpointToTry, endpointsToTry } from './endpoint-to-try.tsx'
import { TrialForm } from './trial-form.tsx'
import type { TrialRequest } from './use-trial.ts'

interface ApiTrialProps {
  /** Undefined: it is new. */
  apiId: number | undefined
  drafted: DraftedApi
}

/** An endpoint of the API is tried, or a path of its base URL while it has none. */
export function ApiTrial({ apiId, drafted }: ApiTrialProps) {
  return apiId === undefined ? (
    <BaseUrlTrial apiId={undefined} drafted={drafted} />
  ) : (
    <SavedApiTrial apiId={apiId} drafted={drafted} />
  )
}

function SavedApiTrial({ apiId, drafted }: { apiId: number; drafted: DraftedApi }) {
  const query = useQuery(endpointsToTry(apiId, ''))
  const [chosen, setChosen] = useState<EndpointRecord>()
  return (
    <QueryLoader query={query} failureText="The endpoints could not be loaded.">
      {([first]) => {
        const endpoint = chosen ?? first
        if (!endpoint) return <BaseUrlTrial apiId={apiId} drafted={drafted} />
        return (
          <Stack gap="md">
            <EndpointToTry apiId={apiId} value={endpoint} onChange={setChosen} />
            <EndpointTrial key={endpoint.id} {...{ apiId, drafted, endpoint }} />
          </Stack>
        )
      }}
    </QueryLoader>
  )
}

interface EndpointTrialProps {
  apiId: number
  drafted: DraftedApi
  endpoint: EndpointRecord
}

function EndpointTrial({ apiId, drafted, endpoint }: EndpointTrialProps) {
  const { id, method_type, path, summery } = endpoint
  function send(request: TrialRequest) {
    if (!drafted.isUnsaved)
      return call('POST /api/endpoint/:id/try', { params: { id }, body: request })
    const body = { ...request, definition: drafted.toDefinition(), endpoint_id: id }
    return call('POST /api/apis/:id/try-changes', { params: { id: apiId }, body })
  }
  return (
    <TrialForm
      subject={{
        endpointId: id,
        path,
        hasBody: method_type !== 'get',
        send,
        showErrors: drafted.showErrors,
      }}
      unsavedText={unsavedText}
      grantTo={{ id, label: summery }}
    />
  )
}

interface TriedRoute {
  method_type: EndpointRecord['method_type']
  path: string
}

/** An API without endpoints: a path of its base URL. */
function BaseUrlTrial({ apiId, drafted }: { apiId: number | undefined; drafted: DraftedApi }) {
  const [route, setRoute] = useState<TriedRoute>({ method_type: 'get', path: '/' })
  function send(request: TrialRequest) {
    const body = { ...request, definition: drafted.toDefinition(), route }
    return apiId === undefined
      ? call('POST /api/apis/try', { body })
      : call('POST /api/apis/:id/try-changes', { params: { id: apiId }, body })
  }
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label="Method"
          data={methodChoices}
          allowDeselect={false}
          value={route.method_type}
          onChange={(method_type) => method_type && setRoute({ ...route, method_type })}
        />
        <TextInput
          label="Path"
          description="Behind the base URL. The API needs no endpoint for it yet."
          value={route.path}
          onChange={(event) => setRoute({ ...route, path: event.currentTarget.value })}
        />
      </SimpleGrid>
      <TrialForm
        subject={{
          endpointId: undefined,
          path: route.path,
          hasBody: route.method_type !== 'get',
          send,
          showErrors: drafted.showErrors,
        }}
        unsavedText={unsavedText}
        grantTo={undefined}
        noAccessText="No role has access before there is an endpoint: only the token of a Super Admin is let in."
      />
    </Stack>
  )
}

const unsavedText = 'The API could not be saved like this: see the messages in its form.'
