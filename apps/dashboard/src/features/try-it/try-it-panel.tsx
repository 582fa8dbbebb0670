import { Alert } from '@mantine/core'
import type { EndpointRecord } from '@gatehouse/contract'
import {
  useDraftedEndpoint,
  type DraftedEndpoint,
  type EndpointDraft,
} from '../../entities/endpoint/endpoint-draft.ts'
import { call } from '../../lib/calls/call.ts'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { TrialForm } from './trial-form.tsx'
import type { TrialRequest } from './use-trial.ts'

interface TryItPanelProps {
  /** Absent: it is new. */
  endpoint?: EndpointRecord
  draft: EndpointDraft
}

/**
 * Sends a request through the gateway as a client would, and shows what each stage made of it. If the form
 * holds changes, they are tried without being saved.
 */
export function TryItPanel({ endpoint, draft }: TryItPanelProps) {
  const drafted = useDraftedEndpoint(draft)
  const label = labelOf(drafted)
  const isSaved = endpoint !== undefined && !drafted?.isUnsaved
  return (
    <Disclosure
      title="Try it"
      anchor="try-it"
      note={
        isSaved
          ? `Through the gateway, as it is saved: ${label}`
          : `Through the gateway, as it is in this form and not yet saved: ${label}`
      }
    >
      <Trial endpoint={endpoint} drafted={drafted} label={label} isSaved={isSaved} />
    </Disclosure>
  )
}

const labelOf = (drafted: DraftedEndpoint | undefined) =>
  drafted ? `${drafted.method.toUpperCase()} /${drafted.context ?? '…'}${drafted.path}` : ''

interface TrialProps {
  endpoint: EndpointRecord | undefined
  drafted: DraftedEndpoint | undefined
  label: string
  isSaved: boolean
}

function Trial({ endpoint, drafted, label, isSaved }: TrialProps) {
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
