import type { EndpointRecord } from '@gatehouse/contract'
import {
  useDraftedEndpoint,
  type DraftedEndpoint,
  type EndpointDraft,
} from '../../entities/endpoint/endpoint-draft.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { Loading } from '../../ui/page/loading.tsx'

// Most who open the form do not try it.
const EndpointTrial = lazyPart(
  async () => (await import('./endpoint-trial.tsx')).EndpointTrial,
  <Loading />,
)

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
      <EndpointTrial endpoint={endpoint} drafted={drafted} label={label} isSaved={isSaved} />
    </Disclosure>
  )
}

const labelOf = (drafted: DraftedEndpoint | undefined) =>
  drafted ? `${drafted.method.toUpperCase()} /${drafted.context ?? '…'}${drafted.path}` : ''
