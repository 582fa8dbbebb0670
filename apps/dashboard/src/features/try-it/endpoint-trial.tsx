import { Alert } from '@mantine/core'
import type { EndpointRecord } from '@gatehouse/contract'
import type { DraftedEndpoint } from '../../entities/endpoint/endpoint-draft.ts'
import { call } from '../../lib/calls/call.ts'
import { TrialForm } from './trial-form.tsx'
import type { TrialRequest } from './use-trial.ts'

interface EndpointTrialProps {
  endpoint: EndpointRecord | undefined
  drafted: DraftedEndpoint | undefined
  label: string
  isSaved: boolean
}

/** What is sent, with what the form holds where that is not saved. */
export function EndpointTrial({ endpoint, drafted, label, isSaved }: EndpointTrialProps) {
  const id = endpoint?.id
  function send(request: TrialRequest) {
    if (id !== undefined && isSaved)
      return call('POST /api/endpoint/:id/try', { params: { id }, body: request })
    const body = { ...request, definition: drafted?.toDefinition() ?? {} }
    return id === undefined
      ? call('POST /api/endpoint/try', { body })
      : call('POST /api/endpoint/:id/try-changes', { params: { id }, body })
  }
  return (
    <TrialForm
      subject={{
        endpointId: id,
        path: drafted?.path ?? '',
        hasBody: drafted?.method !== 'get',
        send,
        showErrors: drafted?.showErrors,
      }}
      unsavedText="The endpoint could not be saved like this: see the messages in its form."
      grantTo={endpoint && { id: endpoint.id, label }}
      noAccessText={
        endpoint && (isSaved || !drafted?.isMoved)
          ? undefined
          : 'No role has access before it is saved: only the token of a Super Admin is let in. Save it, then grant access.'
      }
    >
      {drafted?.isWebSocket && (
        <Alert color="blue" title="This is a WebSocket endpoint">
          Try it sends a plain GET and opens no WebSocket: the gateway treats it as any other
          request, and the upstream may refuse it. Use a WebSocket client for the rest.
        </Alert>
      )}
    </TrialForm>
  )
}
