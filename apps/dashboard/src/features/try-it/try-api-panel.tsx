import type { ApiDraft } from '../../entities/api/api-draft.ts'
import { useSharedValue } from '../../lib/browser/shared-value.ts'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { Disclosure } from '../../ui/page/disclosure.tsx'
import { Loading } from '../../ui/page/loading.tsx'

// Most who open the form do not try it.
const ApiTrial = lazyPart(async () => (await import('./api-trial.tsx')).ApiTrial, <Loading />)

interface TryApiPanelProps {
  /** Undefined: it is new. */
  apiId?: number
  draft: ApiDraft
}

/** Sends a request through the gateway with the settings of an API as its form has them, before they are saved. */
export function TryApiPanel({ apiId, draft }: TryApiPanelProps) {
  const drafted = useSharedValue(draft)
  if (!drafted?.isHttp) return null
  return (
    <Disclosure
      title="Try it"
      anchor="try-it"
      note={
        drafted.isUnsaved || apiId === undefined
          ? 'Through the gateway, with the settings in this form, which are not yet saved.'
          : 'Through the gateway, with the settings as they are saved.'
      }
    >
      <ApiTrial apiId={apiId} drafted={drafted} />
    </Disclosure>
  )
}
